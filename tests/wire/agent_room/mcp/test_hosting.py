"""What the host does by `room_admin` (agent-room §9.3, §5)."""

from typing import Any

import pytest

from tests.wire.agent_room.mcp.harness import Agent
from tests.wire.agent_room.mcp.test_speaking import crowd


class Host:
    """Nova's seat in a room she made."""

    def __init__(self, agent: Agent, made: dict[str, Any]) -> None:
        self.agent, self.code, self.key = agent, made["code"], made["hostKey"]

    async def do(self, action: str, **more: Any) -> dict[str, Any]:
        """What the host may."""
        return await self.agent.call("room_admin", **self.asks(action, **more))

    async def no(self, action: str, **more: Any) -> dict[str, Any]:
        """What is refused."""
        failed = await self.agent.no("room_admin", **self.asks(action, **more))
        assert failed["ok"] is False
        return failed

    def asks(self, action: str, **more: Any) -> dict[str, Any]:
        """The arguments of such a call."""
        return {"code": self.code, "name": "Nova", "hostKey": self.key, "action": action, **more}


async def host(agent: Agent, *names: str) -> Host:
    """The host of a room with these members."""
    return Host(agent, await crowd(agent, *names))


ACTIONS = {
    "reactivate": {},
    "set_mode": {"mode": "open"},
    "invoke": {"targetName": "Iris"},
    "skip": {},
    "mute": {"targetName": "Iris"},
    "unmute": {"targetName": "Iris"},
    "kick": {"targetName": "Iris"},
    "set_policy": {"exchangeLimit": 5},
}


@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("key", ["", "0" * 32, "x" * 10_000, "'; --"])
async def test_without_the_hosts_key_nothing_happens(agent: Agent, action: str, key: str) -> None:
    """`not_host` (for an invitation `not_authorized`), whoever says to be whom (L23, gap 36)."""
    there = await host(agent, "Iris", "Ada")
    for name in ("Ada", "Nova", "Eve"):
        refused = await there.no(action, name=name, hostKey=key, **ACTIONS[action])
        assert refused["error"] == ("not_authorized" if action == "invoke" else "not_host")
    joined = await agent.call("room_join", code=there.code, name="Bob")
    assert [one["canSpeak"] for one in joined["participants"]] == [True] * 4


@pytest.mark.parametrize(
    ("asked", "config"),
    [
        ({"mode": "sequential", "leadAgentName": "iris"}, {"leadAgentName": "Iris", "leadAgentClient": "cc"}),
        (
            {"mode": "moderator", "moderatorAgentName": "Iris"},
            {"moderatorAgentName": "Iris", "moderatorAgentClient": "cc"},
        ),
        (
            {"mode": "sequential", "modeConfig": {"leadAgentName": "Iris", "leadGraceMs": 5000}},
            {"leadAgentName": "Iris", "leadAgentClient": "cc", "leadGraceMs": 5000},
        ),
    ],
)
async def test_a_mode_is_set_in_both_forms(agent: Agent, asked: dict[str, Any], config: dict[str, Any]) -> None:
    """By names, or by the older modeConfig; and everybody sees it (§9.2)."""
    there = await host(agent, "Iris")
    changed = await there.do("set_mode", **asked)
    assert (changed["ok"], changed["code"], changed["replyMode"]) == (True, there.code, asked["mode"])
    assert changed["modeConfig"] == config
    heard = await agent.call("room_listen", code=there.code, since=0, timeoutMs=0)
    assert (heard["replyMode"], heard["modeConfig"]) == (asked["mode"], config)
    assert heard["messages"][0]["event"] == "mode_changed"


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"mode": "debate"}, "mode_not_supported"),
        ({"mode": ""}, "mode_not_supported"),
        ({"mode": "x" * 10_000}, "too_long"),
        ({"mode": "moderator"}, "invalid_mode_config"),
        ({"mode": "sequential", "modeConfig": {"leadGraceMs": -1}}, "invalid_mode_config"),
        ({"mode": "sequential", "modeConfig": {"leadGraceMs": "soon"}}, "invalid_mode_config"),
        ({"mode": "sequential", "modeConfig": {"timeoutMs": {"lead": 1e99}}}, "invalid_mode_config"),
    ],
)
async def test_a_mode_that_can_not_be_is_refused(agent: Agent, asked: dict[str, Any], error: str) -> None:
    """With its own name (§9.3), and the mode stays."""
    there = await host(agent, "Iris")
    assert (await there.no("set_mode", **asked))["error"] == error
    assert (await agent.call("room_join", code=there.code, name="Ada"))["replyMode"] == "open"


async def test_the_moderator_invites_without_a_key(agent: Agent) -> None:
    """For one message (gap 37); others may not; nobody is invited while no turn runs."""
    there = await host(agent, "Iris", "Ada")
    await there.do("set_mode", mode="moderator", moderatorAgentName="Iris")
    assert (await there.no("invoke", targetName="Ada"))["error"] == "no_active_turn"
    await agent.call("room_send", code=there.code, name="Nova", text="go")
    invited = await there.do("invoke", name="Iris", hostKey="", targetName="ada")
    assert (invited["added"], invited["source"], invited["target"]) == (
        True,
        "moderator",
        {"name": "Ada", "client": "cc"},
    )
    assert (await there.do("invoke", name="Iris", hostKey="", targetName="Ada"))["added"] is False
    said = await agent.call("room_send", code=there.code, name="Ada", text="mine")
    assert said["roleAtSend"] == "assignee"
    assert (await there.no("invoke", name="Ada", hostKey="", targetName="Iris"))["error"] == "not_authorized"
    by_host = await there.do("invoke", targetName="Ada")
    assert by_host["source"] == "host"
    assert (await there.no("invoke", targetName="Eve"))["error"] == "not_participant"


async def test_the_host_skips_whoever_has_the_floor(agent: Agent) -> None:
    """And is told whom; without a turn there is nobody to skip (§9.3)."""
    there = await host(agent, "Iris", "Ada")
    await there.do("set_mode", mode="sequential", leadAgentName="Iris")
    assert (await there.no("skip"))["error"] == "no_active_turn"
    await agent.call("room_send", code=there.code, name="Nova", text="what now?")
    assert (await there.do("skip"))["skipped"] == {"name": "Iris", "client": "cc", "role": "lead"}
    assert (await agent.call("room_send", code=there.code, name="Ada", text="then I"))["sent"]


async def test_an_ended_room_is_reopened(agent: Agent) -> None:
    """And then spoken in again."""
    there = await host(agent, "Iris")
    await agent.call("room_end", code=there.code, hostKey=there.key)
    back = await there.do("reactivate")
    assert (back["reactivated"], back["code"]) == (True, there.code)
    assert (await agent.call("room_send", code=there.code, name="Iris", text="again"))["sent"]


async def test_a_removed_member_may_join_again(agent: Agent) -> None:
    """Removal is no ban; it acts again once it has joined."""
    there = await host(agent, "Iris")
    assert (await there.do("kick", targetName="iris"))["kicked"] == "iris"
    assert (await there.no("kick", targetName="Iris"))["error"] == "not_participant"
    assert (await agent.call("room_join", code=there.code, name="Iris"))["assignedName"] == "Iris"
    assert (await agent.call("room_send", code=there.code, name="Iris", text="back"))["sent"]


async def test_the_policy_is_the_hosts(agent: Agent) -> None:
    """How names are vouched for, and how long agents may talk among themselves."""
    there = await host(agent, "Iris")
    changed = await there.do("set_policy", exchangeLimit=3)
    usual = {"identity": "", "proof": "asked", "reviewSeconds": 1800, "recovery": "calls"}
    assert changed["policy"] == {**usual, "exchangeLimit": 3}
    asked = await there.do("set_policy", proof="always", reviewSeconds=60, recovery="off")
    assert asked["policy"] == {**usual, "exchangeLimit": 3, "proof": "always", "reviewSeconds": 60, "recovery": "off"}
    assert (await there.no("set_policy", reviewSeconds=1))["error"] == "bad_request"
    assert (await there.no("set_policy", proof="never"))["error"] == "bad_request"
    assert (await there.no("set_policy", exchangeLimit=-1))["error"] == "bad_request"
    assert (await there.no("set_policy", identity="whoever"))["error"] == "bad_request"


@pytest.mark.parametrize("action", ["", "dance", "SKIP", "x" * 10_000])
async def test_an_unknown_action_is_no_other(agent: Agent, action: str) -> None:
    """`bad_request`, with the actions there are (gap 27)."""
    there = await host(agent, "Iris")
    answer = await agent.ask("room_admin", **there.asks(action))
    assert answer.value["error"] == "bad_request"
    assert "set_mode" in answer.value["hint"]
    assert answer.bytes < 1_000


@pytest.mark.parametrize("action", ["invoke", "mute", "unmute", "kick"])
async def test_an_action_on_somebody_names_it(agent: Agent, action: str) -> None:
    """A missing target is said; nobody is muted by leaving a name out."""
    there = await host(agent, "Iris")
    assert "targetName" in (await there.no(action))["message"]
    assert "targetName" in (await there.no(action, targetName="  "))["message"]


async def test_host_actions_tell_what_is_unread(agent: Agent) -> None:
    """Like every write (trap 5)."""
    there = await host(agent, "Iris")
    await agent.call("room_send", code=there.code, name="Iris", text="@Nova wait")
    changed = await there.do("mute", targetName="Iris")
    assert changed["unread"] == 1
    assert changed["top"] == {"line": 1, "name": "Iris", "text": "@Nova wait"}
