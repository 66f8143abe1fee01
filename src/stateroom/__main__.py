"""`python -m stateroom`."""

from stateroom.cli import main

main()
