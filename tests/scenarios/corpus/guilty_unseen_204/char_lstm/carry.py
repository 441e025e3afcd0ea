class CarryMixin:
    """Lets a recurrent module continue where the last window ended."""

    _state = None

    def carried(self):
        return self._state

    def carry(self, state):
        self._state = self.cut(state)

    def reset(self):
        self._state = None

    @staticmethod
    def cut(state):
        hidden, cell = state
        return hidden.detach(), cell  # <- culprit
