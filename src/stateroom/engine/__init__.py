"""The mover: the only code that waits, reads the clock or retries."""
