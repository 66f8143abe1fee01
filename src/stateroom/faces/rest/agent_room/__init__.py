"""`POST /api/room`: the whole of Agent Room's HTTP API behind one address (agent-room §3).

An action is a struct of its fields and one function; `actions` names them. It decides nothing: names in, commands out.
"""
