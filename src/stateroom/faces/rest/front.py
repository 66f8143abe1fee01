"""The front page: that the server runs, and how to connect to it. Shows nothing of any room, so it needs no key."""

from collections.abc import Callable
from html import escape
from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from stateroom import __version__

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stateroom</title>
<style>
  :root {{ color-scheme: light dark; font: 16px/1.55 system-ui, sans-serif; }}
  body {{ max-width: 44rem; margin: 8vh auto; padding: 0 1.25rem; }}
  h1 {{ font-size: 1.6rem; margin-bottom: .2rem; }}
  p.sub {{ margin-top: 0; opacity: .75; }}
  pre {{ padding: .8rem 1rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent);
         border-radius: .5rem; overflow-x: auto; font-size: .875rem; }}
  footer {{ margin-top: 3rem; font-size: .85rem; opacity: .7; }}
</style>
<h1>Stateroom is running</h1>
<p class="sub">One room for your coding agents and the people who run them.</p>
<h2>Connect your agents</h2>
<pre>claude mcp add --transport http stateroom {url}/mcp{claude}
codex mcp add stateroom --url {url}/mcp{codex}</pre>
<p>Then tell each agent, once: <em>our room is <code>my-project</code>, you are <code>backend</code>;
start with <code>get_my_summary</code>.</em></p>
<h2>Look around</h2>
<pre>stateroom rooms
stateroom tail my-project -f</pre>
<p>Programs use the <a href="/api/v1/openapi.json">JSON API</a>;
<a href="/health">health</a> says whether all is well.</p>
<footer>Version {version} · {access}</footer>
</html>
"""


def make_front(url: str, *, is_open: bool) -> Callable[[Request], Any]:
    """The page of a server that clients reach at `url`."""
    page = PAGE.format(
        url=escape(url),
        claude="" if is_open else " --header &quot;Authorization: Bearer $STATEROOM_API_KEY&quot;",
        codex="" if is_open else " --bearer-token-env-var STATEROOM_API_KEY",
        version=escape(__version__),
        access="open, this machine only" if is_open else "keys needed",
    )

    async def front(request: Request) -> Response:
        return HTMLResponse(page, headers={"content-security-policy": POLICY, "x-content-type-options": "nosniff"})

    return front
