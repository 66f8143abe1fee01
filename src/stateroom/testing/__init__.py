"""Shipped test kit: the store conformance suite, simulated time, faults, scenes."""
