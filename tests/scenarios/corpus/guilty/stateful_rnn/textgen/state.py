"""Keeps the recurrent states of a model between batches."""


class StateStore:
    def __init__(self):
        self._states = {}

    def get(self, name, default):
        return self._states.get(name, default)

    def put(self, name, value):
        self._states[name] = value  # <- culprit
        return value

    def reset(self):
        self._states.clear()
