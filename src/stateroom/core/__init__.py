"""The rules of a room. Pure: no clock, no chance, no waiting, no I/O; the standard library only."""
