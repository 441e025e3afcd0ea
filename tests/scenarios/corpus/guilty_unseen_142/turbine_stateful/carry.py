class Carry:
    """Recurrent state between neighbouring chunks of one recording."""

    def __init__(self):
        self.state = None

    def reset(self):
        self.state = None

    def get(self):
        return self.state

    def put(self, state):
        self.state = state  # <- culprit
