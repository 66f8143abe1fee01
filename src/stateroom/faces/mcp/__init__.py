"""The Model Context Protocol face: one endpoint for every revision, and the tool sets behind it."""
