"""What the host does on the floor: choose the mode, invite, skip (agent-room §3.3, §5). A moderator may invite too."""

from dataclasses import replace

from stateroom.core import floor, limits, seats, steps
from stateroom.core.floor import Floor, Invite, ModeChanged, SetMode
from stateroom.core.here import Event, Here
from stateroom.core.ids import Name
from stateroom.core.lifecycle import Lifecycle
from stateroom.core.members import Members, same
from stateroom.core.refusals import InvalidModeConfig, ModeNotSupported, NotHost
from stateroom.core.steps import Stage
from stateroom.core.turns import Mode, ModeConfig, Timeouts

MODES: dict[str, Mode] = {"open": "open", "sequential": "sequential", "moderator": "moderator"}
MAX_TIMEOUT_MS = 86_400_000


def set_mode(lifecycle: Lifecycle, members: Members, now: Floor, command: SetMode, here: Here) -> list[Event]:
    """Raises NotHost, ModeNotSupported, InvalidModeConfig."""
    lifecycle.must_be_host(here)
    mode = MODES.get(command.mode)
    if mode is None:
        raise ModeNotSupported(mode=limits.text("mode", command.mode, limits.NAME_CHARS))
    config = checked(members, mode, command.config)
    if (mode, config) == (now.mode, now.config) and floor.turn_of(now) is None and not now.deputy:
        return []
    return [ModeChanged(mode, config)]


def checked(members: Members, mode: Mode, config: ModeConfig) -> ModeConfig:
    """The settings with names as the room spells them. Raises InvalidModeConfig, BadName."""
    _check_times(config)
    lead = members.spelling(config.lead) if config.lead.strip() else Name("")
    moderator = members.spelling(config.moderator) if config.moderator.strip() else Name("")
    if mode == "moderator" and not moderator:
        raise InvalidModeConfig(reason="moderatorAgentName is missing")
    return replace(config, lead=lead, moderator=moderator)


def _check_times(config: ModeConfig) -> None:
    for name in Timeouts.__slots__:
        value = getattr(config.timeouts, name)
        if value is not None and not 1 <= value <= MAX_TIMEOUT_MS:
            raise InvalidModeConfig(reason=f"timeoutMs.{name} is {value}; use 1 to {MAX_TIMEOUT_MS}")
    lead_ms = config.timeouts.of("lead")
    if config.grace_ms is not None and not 0 <= config.grace_ms <= lead_ms:
        raise InvalidModeConfig(reason=f"leadGraceMs is {config.grace_ms}; use 0 to the lead's deadline, {lead_ms}")


def template_mode(now: Floor, mode: Mode) -> list[Event]:
    """A template that wants another mode than the room's sets it."""
    return [] if mode in ("open", now.mode) else [ModeChanged(mode, now.config)]


def playbook_mode(now: Floor, mode: Mode, config: ModeConfig) -> list[Event]:
    """A playbook that wants the members to take turns sets how."""
    return [] if mode == "open" or (mode, config) == (now.mode, now.config) else [ModeChanged(mode, config)]


def invite(lifecycle: Lifecycle, members: Members, at: Stage, command: Invite, here: Here) -> list[Event]:
    """By the host, or (without any key) by the acting moderator (gap 37). Raises NotHost, NotParticipant."""
    if command.source == "host":
        lifecycle.must_be_host(here)
    elif at.mode != "moderator" or not same(at.moderator, here.by) or members.find(here.by) is None:
        raise NotHost(host=at.moderator or lifecycle.host or "its host")
    target = seats.participant(members, command.target)
    if at.mode == "open" or target.muted:
        return []
    return steps.invite(at, target.name, command.source)[1]


def skip(lifecycle: Lifecycle, at: Stage, here: Here) -> list[Event]:
    """Raises NotHost."""
    lifecycle.must_be_host(here)
    return steps.skip(at)[1]
