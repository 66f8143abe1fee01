"""A small typed client over REST and the event stream, for the CLI, hooks, evaluations and users' own programs."""

from stateroom.client.client import Client
from stateroom.client.problems import Problem, Unreachable, masked
from stateroom.client.shapes import Assignment, Document, Duties, Floor, Lines, Seat

__all__ = ["Assignment", "Client", "Document", "Duties", "Floor", "Lines", "Problem", "Seat", "Unreachable", "masked"]
