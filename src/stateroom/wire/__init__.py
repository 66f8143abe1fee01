"""The shapes: one JSON form per thing, shared by every face."""
