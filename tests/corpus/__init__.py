"""Texts made for the tests: calls that models have printed, and what people and agents say to each other."""
