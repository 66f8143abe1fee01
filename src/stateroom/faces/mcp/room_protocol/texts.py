"""Literal texts that clients match on (protocol §4.2), by refusal code. All other refusals speak for themselves."""

TEXTS = {
    "unknown_task": "Task not found: {task}",
    "unknown_dependency": "Dependency task not found: {task}",
    "unknown_context": "ContextEntry not found: {context}",
    "unknown_event": "Event not found: {event}",
    "unknown_review": "Review not found: {review}",
    "review_resolved": "Review already {verdict}",
    "not_the_reviewer": "Only reviewer {reviewer} may resolve this review",
    "no_earlier_version": "No prior versions to diff against",
    "unknown_version": "Version not found in history: {version}",
}
