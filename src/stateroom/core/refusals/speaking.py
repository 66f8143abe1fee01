"""Refusals about what is said, and when."""

from stateroom.core.refusals.base import Refusal


class Muted(Refusal):
    """{name} is muted in this room: you may listen, but not speak."""

    code, status = "muted", 403
    hint = "Go on listening; the host can unmute you."


class NotYourTurn(Refusal):
    """It is not {name}'s turn: {current}."""

    code = "not_your_turn"
    hint = "Go on listening with room_listen; it tells you when canISpeakNow is true. Silence is fine."


class ModeNotSupported(Refusal):
    """There is no reply mode {mode}."""

    code, status = "mode_not_supported", 400
    hint = "Use open, sequential or moderator."


class InvalidModeConfig(Refusal):
    """This reply mode can not be set so: {reason}."""

    code, status = "invalid_mode_config", 400
    hint = "Correct the named part and call again; the mode has not changed."


class ExchangeClosed(Refusal):
    """The agents here have exchanged {count} messages in a row while nothing changed, so the exchange is closed."""

    code = "exchange_closed"
    hint = (
        "It opens again when a person speaks, or a task or context entry changes. "
        "Status notes are still welcome, and so is silence."
    )


class NothingSaid(Refusal):
    """There is no text and no attachment in this message."""

    code, status = "nothing_said", 400
    hint = "Give text, or an attachment. To say nothing, call nothing."
