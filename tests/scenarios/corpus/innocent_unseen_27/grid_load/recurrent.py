def carrier(cell, state):
    """Coroutine that owns the state: send(x) advances it, send(None) closes the window."""
    out = None
    while True:
        x = yield out
        if x is None:
            state = state.detach()
            out = None
        else:
            state = cell(x, state)
            out = state
