def cut(state):
    if state is None:
        return None
    if isinstance(state, (tuple, list)):
        return type(state)(cut(s) for s in state)
    return state.detach()


class StatefulMixin:
    """Gives a module `carry`, to be handed on from one window to the next."""

    carry = None

    def begin_window(self):
        self.carry = cut(self.carry)

    def forget(self):
        self.carry = None
