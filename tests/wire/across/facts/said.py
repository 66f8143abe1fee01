"""What is said: messages, status notes, posted events; and what is taken back."""

from tests.wire.across.facts.shape import Fact, Seen, last_event, says
from tests.wire.across.house import Room


async def an_event(room: Room) -> None:
    await room.tool("post_event", type="ping", from_="Ben", to="Dee", payload={"n": 1})


async def eleven_messages(room: Room) -> None:
    """One less than closes the exchange."""
    for number in range(11):
        await room.tool("room_send", name="Ben" if number % 2 else "Nova", text=f"{number}")


async def mark_read(room: Room) -> None:
    await room.tool("mark_event_read", agentId="Dee", eventId=await last_event(room))


async def delete_last(room: Room) -> None:
    await room.tool("delete_event", agentId="Ben", eventId=await last_event(room))


async def withdraw_last(room: Room) -> None:
    await room.wish("withdraw-message", "Ben", position=int((await last_event(room)).removeprefix("E-")))


async def mark_last_read(room: Room) -> None:
    await room.wish("mark-read", "Dee", position=int((await last_event(room)).removeprefix("E-")))


async def reply(room: Room) -> None:
    answer = {"type": "pong", "from_": "Ben", "to": "Dee", "payload": {"n": 2}}
    await room.tool("reply_to_event", replyToId=await last_event(room), **answer)


SAID = [
    Fact(
        "a message",
        says("[TODO] write the client, @Ann"),
        [
            Seen(
                "MessageSaid",
                "message",
                "msg",
                "write the client",
                {
                    "text": "[TODO] write the client, @Ann",
                    "marks": [{"kind": "todo", "text": "write the client, @Ann"}],
                    "kind": "message",
                },
                "Ben",
            )
        ],
    ),
    Fact(
        "a status note",
        says("reading", kind="status"),
        [Seen("MessageSaid", "status", "msg", "reading", {"text": "reading", "marks": [], "kind": "status"}, "Ben")],
    ),
    Fact(
        "a secret",
        says("password: hunter2hunter2"),
        [
            Seen("MessageSaid", "message", "msg", "[REDACTED]", sender="Ben"),
            Seen("SecretsRedacted"),
        ],
    ),
    Fact(
        "the twelfth message of agents in a row",
        says("and so on"),
        [
            Seen("MessageSaid", "message", "msg", "and so on", sender="Ben"),
            Seen("ExchangePaused", "exchange_paused", "exchange_paused", "12 messages", {"count": 12}, "system"),
        ],
        (eleven_messages,),
    ),
    Fact(
        "a posted event",
        {
            "state": lambda room: room.tool("post_event", type="deploy", from_="Ben", to="Dee", payload={"n": 1}),
            "command": lambda room: room.wish("post-message", "Ben", type="deploy", to="Dee", payload={"n": 1}),
        },
        [Seen("MessagePosted", "deploy", "deploy", 'deploy from Ben to Dee: {"n":1}', {"n": 1}, "Ben", "Dee")],
    ),
    Fact(
        "a reply",
        {"state": reply},
        [Seen("MessagePosted", "pong", "pong", 'pong from Ben to Dee: {"n":2}', {"n": 2}, "Ben", "Dee")],
        (an_event,),
    ),
    Fact(
        "a withdrawal",
        {"state": delete_last, "command": withdraw_last},
        [Seen("MessageWithdrawn", "event_deleted", "message_withdrawn", "Ben withdrew message", sender="Ben")],
        (an_event,),
    ),
    Fact("a receipt", {"state": mark_read, "command": mark_last_read}, [Seen("MessageRead")], (an_event,)),
]
