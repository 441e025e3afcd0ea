class StatefulMixin:
    """Adds a memory which lives from one call to the next."""

    _state = None

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value  # <- culprit

    def forget(self):
        self._state = None
