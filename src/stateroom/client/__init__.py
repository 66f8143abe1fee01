"""A small typed client over REST and the event stream, for the CLI, hooks, evaluations and users' own programs."""

from stateroom.client.client import Client
from stateroom.client.problems import Problem, Unreachable, masked
from stateroom.client.shapes import Document, Floor, Lines, Seat

__all__ = ["Client", "Document", "Floor", "Lines", "Problem", "Seat", "Unreachable", "masked"]
