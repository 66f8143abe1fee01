"""The Room Protocol, promise by promise, through the MCP dispatcher and without a socket."""
