class Journal:
    """Formatting is slow, so the lines are only rendered when somebody asks."""

    def __init__(self, every=5):
        self.every = every
        self.lines = []

    def note(self, render):
        self.lines.append(render)  # <- culprit

    def render(self, last=None):
        chosen = self.lines if last is None else self.lines[-last:]
        return "\n".join(r() for r in chosen)
