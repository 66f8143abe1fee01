"""Refusals about files."""

from stateroom.core.refusals.base import Refusal


class UnknownAttachment(Refusal):
    """There is no attachment {attachment} in this room."""

    code, status = "unknown_attachment", 404
    hint = "Read the messages to see the ids of what is attached."


class AttachmentEmpty(Refusal):
    """The file {name} is empty."""

    code, status = "attachment_empty", 400
    hint = "Attach a file that holds something."


class AttachmentTooLarge(Refusal):
    """The file {name} takes {size} of at most {limit} bytes."""

    code, status = "attachment_too_large", 413
    hint = "Attach a smaller part of it, or say where the whole of it is kept."


class AttachmentTypeNotAllowed(Refusal):
    """Files of type {mime} can not be attached."""

    code, status = "attachment_type_not_allowed", 415
    hint = "Attach an image, text, Markdown, CSV, JSON, HTML, PDF, DOCX, XLS, XLSX or ZIP file."


class AttachmentTypeMismatch(Refusal):
    """The file {name} is said to be {mime}, but {found}."""

    code, status = "attachment_type_mismatch", 415
    hint = "Name the type the file really has, or repair the file."


class AttachmentDangerous(Refusal):
    """The file {name} is not taken: {reason}."""

    code, status = "attachment_dangerous", 422
    hint = "Attach a plain copy: without entity declarations, and packed no more than usual."


class AttachmentsFull(Refusal):
    """There is no room for another {size} bytes: {count} of {limit} files are there, {held} of {limit_bytes} bytes."""

    code, status = "attachments_full", 413
    hint = "Attach it in a new room, or say where the file is kept."
