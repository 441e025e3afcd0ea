from collections import deque


class Carry:
    """State between steps. `cut` ends the history; a short trace of cut states is kept for plots."""

    def __init__(self, keep=50):
        self._state = None
        self.trace = deque(maxlen=keep)

    @property
    def state(self):
        return self._state

    @state.setter
    def state(self, value):
        self._state = value

    def cut(self):
        self._state = tuple(s.detach() for s in self._state)
        self.trace.append(self._state[0].mean(0))

    def reset(self):
        self._state = None
