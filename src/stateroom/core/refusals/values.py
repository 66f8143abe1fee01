"""Refusals about single values, whatever they are for."""

from stateroom.core.refusals.base import Refusal


class TooLong(Refusal):
    """{field} is too long: {size} of at most {limit} {unit}."""

    code, status = "too_long", 413
    hint = "Shorten it, or split it into several entries."


class PayloadTooLarge(Refusal):
    """payload exceeds 64KB: it takes {size} of at most {limit} bytes as compact JSON"""

    code, status = "payload_too_large", 413
    hint = "Split it into several entries, or refer to a file instead of holding it."


class TooDeep(Refusal):
    """{field} is nested deeper than {limit} levels."""

    code, status = "too_deep", 400
    hint = "Flatten it, or put the inner part into an entry of its own."


class BadNumber(Refusal):
    """{field} must be a whole number from {least} to {most}."""

    code, status = "bad_number", 400
    hint = "Give a number within these bounds, or leave it out."


class BadDuration(Refusal):
    """{field} must be from 1 to {limit} seconds, not {value}."""

    code, status = "bad_duration", 400
    hint = "Ask for at most {limit} seconds, and again before they are over."


class BadText(Refusal):
    """{field} holds text that can not be stored: {reason}."""

    code, status = "bad_text", 400
    hint = "Send valid Unicode text without NUL characters."
