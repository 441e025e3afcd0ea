class StateStore:
    """Keyed slots for whatever the model wants to find again at the next step."""

    def __init__(self):
        self._slots = {}

    def put(self, key, value):
        self._slots[key] = value  # <- culprit

    def get(self, key):
        return self._slots.get(key)

    def clear(self):
        self._slots.clear()
