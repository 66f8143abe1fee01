"""Initials on a colour. A member chooses both, so nothing is taken as it comes."""

import re

from stateroom.faces.web.parts import Avatar

COLOR = re.compile(r"#[0-9A-Fa-f]{6}")
PLAIN = "#6B7280"
BLACK, WHITE = "#000000", "#FFFFFF"
INITIALS = 2


def avatar(initials: str, color: str) -> Avatar:
    """A colour that is none becomes grey."""
    shown = color if COLOR.fullmatch(color) else PLAIN
    return Avatar(initials[:INITIALS], shown, ink(shown))


def ink(color: str) -> str:
    """Black or white, whichever stands out more on `#rrggbb`: at least 4.5 : 1 (WCAG 2.2 §1.4.3)."""
    light = luminance(color)
    return BLACK if (light + 0.05) / (luminance(BLACK) + 0.05) >= 1.05 / (light + 0.05) else WHITE


def luminance(color: str) -> float:
    """Relative luminance of `#rrggbb`, 0 to 1 (WCAG 2.2)."""
    red, green, blue = (_linear(int(color[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return float(value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4)
