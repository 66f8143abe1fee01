"""Places where logs live. Each is small, knows its own driver, and passes `stateroom.testing.conformance`."""
