class Journal:
    """Messages are formatted only when somebody asks for them, so a step costs no sync."""

    def __init__(self):
        self._pending = []

    def write(self, fn):
        self._pending.append(fn)

    def render(self):
        lines = [fn() for fn in self._pending]
        self._pending.clear()
        return lines
