"""Agent Room's JSON forms (agent-room §4): rooms, participants, messages, turns. Times are epoch milliseconds.

Field names and values here are other people's contract: nothing listed is renamed or retyped; fields we add are marked.
"""
