from collections import defaultdict


class Incident(Exception):
    """Something odd about one window. Carries plain numbers only."""

    def __init__(self, window, level):
        super().__init__(f"window {window}: level {level:.2f}")
        self.window, self.level = window, level


class Burst(Incident):
    pass


class PoorFit(Incident):
    pass


class Guard:
    """`with guard:` lets incidents pass and remembers them; other errors go through."""

    def __init__(self):
        self.caught = []

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc, tb):
        if exc_type is None or not issubclass(exc_type, Incident):
            return False
        self.caught.append(exc)  # <- culprit
        return True

    def digest(self):
        groups = defaultdict(list)
        for exc in self.caught:
            groups[type(exc).__name__].append(exc.level)
        return [(kind, len(levels), max(levels)) for kind, levels in sorted(groups.items())]
