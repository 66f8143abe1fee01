"""The HTTP faces that are not MCP: health, the native JSON API, the event stream."""
