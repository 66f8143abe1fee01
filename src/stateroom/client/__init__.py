"""A small typed client over REST and the event stream, for the CLI, hooks, evaluations and users' own programs."""

from stateroom.client.client import Client
from stateroom.client.problems import Problem, Unreachable, masked

__all__ = ["Client", "Problem", "Unreachable", "masked"]
