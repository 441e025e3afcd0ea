class Window:
    """Holds the background between two analyses."""

    def __init__(self, field):
        self._field = field
        self.age = 0

    @property
    def background(self):
        return self._field

    @background.setter
    def background(self, f):
        self._field = f.clamp(-4, 4)  # <- culprit
        self.age += 1
