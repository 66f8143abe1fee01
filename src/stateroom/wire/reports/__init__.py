"""Reports as they leave the server: a RoomReport as JSON, and minutes, ADR and PR description as Markdown."""

from stateroom.wire.reports.rendering import FORMATS, Format, file_name, render
from stateroom.wire.reports.shapes import report_shape

__all__ = ["FORMATS", "Format", "file_name", "render", "report_shape"]
