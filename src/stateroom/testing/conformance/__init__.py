"""What every store must do. A new store's test file is its fixtures and `from stateroom.testing.conformance import *`.

The fixtures: `store`, an opened Store over empty data; `another`, a second opened Store on the same data, as another
process would have; `let_pass`, called with whole seconds, after which that much time has passed for the shelf.
"""

from stateroom.testing.conformance.blobs import *  # noqa: F403
from stateroom.testing.conformance.logs import *  # noqa: F403
from stateroom.testing.conformance.shelf import *  # noqa: F403
from stateroom.testing.conformance.watching import *  # noqa: F403
