"""The default store: one SQLite file on one machine, which several processes may share.

One writer thread per process commits for everybody at once; a reader thread answers questions meanwhile;
other processes are woken by a datagram. `store` joins the parts, each of the others is one of them.
"""

from stateroom.stores.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
