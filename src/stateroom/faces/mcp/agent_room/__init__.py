"""The conversation under Agent Room's tool names (agent-room §9)."""
