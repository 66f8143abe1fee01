"""Refusals about reviews."""

from stateroom.core.refusals.base import Refusal


class UnknownReview(Refusal):
    """There is no review {review} in this room."""

    code, status = "unknown_review", 404
    hint = "List the reviews to see their ids."


class UnknownReviewTarget(Refusal):
    """There is no {kind} {target} in this room to review."""

    code, status = "unknown_review_target", 404
    hint = "Name an existing task or context entry."


class ReviewResolved(Refusal):
    """Review {review} is already {verdict}."""

    code = "review_resolved"
    hint = "Request a new review if the work has changed."


class NotTheReviewer(Refusal):
    """Only reviewer {reviewer} may resolve review {review}."""

    code, status = "not_the_reviewer", 403
    hint = "Wait for {reviewer}, or request a review from somebody else."


class OwnReview(Refusal):
    """{name} can not review what {name} asked to have reviewed."""

    code, status = "own_review", 403
    hint = "Name another member as reviewer."
