"""Questions a room can answer: pure functions of a Room, and of log entries handed in."""
