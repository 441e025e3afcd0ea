def repackage(state):
    if state is None:
        return None
    if isinstance(state, (tuple, list)):
        return type(state)(repackage(s) for s in state)
    return state.detach()
