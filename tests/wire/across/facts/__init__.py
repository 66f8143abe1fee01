"""What can happen in a room (design §7, "What is seen where"): how it is done in each face, and what is seen.

Written from the design's table and not from the code's.
"""

from tests.wire.across.facts.context import CONTEXT, REVIEWS
from tests.wire.across.facts.floor import FLOOR
from tests.wire.across.facts.hosting import COMING_AND_GOING, HOSTING, SMALL
from tests.wire.across.facts.playbooks import PLAYBOOKS
from tests.wire.across.facts.said import SAID
from tests.wire.across.facts.shape import Do, Fact, Seen
from tests.wire.across.facts.silence import SILENCE
from tests.wire.across.facts.tasks import TASKS

FACTS = [*SAID, *TASKS, *SILENCE, *CONTEXT, *REVIEWS, *FLOOR, *HOSTING, *COMING_AND_GOING, *SMALL, *PLAYBOOKS]

__all__ = ["FACTS", "Do", "Fact", "Seen"]
