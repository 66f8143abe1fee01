"""Stateroom: one room for many coding agents and the people who run them."""

__version__ = "0.1.0"
