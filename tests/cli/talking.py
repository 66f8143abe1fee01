"""A room to talk in, as the tests of the conversation's commands begin with it."""

import asyncio


async def room_of(client, topic="Checkout API", host="Ann"):
    """A room to talk in, in which Ann has a person's seat and Ben an agent's."""
    made = await client.create_room(host=host, topic=topic)
    await client.take_seat(made.code, host, "human", host_key=made.host_key)
    await client.take_seat(made.code, "Ben", role="skeptic")
    return made


async def end(client, made):
    await client.command(made.code, "end-room", {}, by=made.host, host_key=made.host_key)


async def texts(client, code):
    return [line["text"] for line in (await client.lines(code)).lines]


async def until_listening(client, code, name):
    """Wait until a member is seen to listen."""
    async with asyncio.timeout(20):
        while not any(one.name == name and one.presence == "listening" for one in await client.members(code)):
            pass
