"""Log lines are formatted lazily, since nobody reads most of them."""


class Journal:
    def __init__(self):
        self._entries = []

    def note(self, it, **terms):
        def line():
            body = "  ".join(f"{name}={value.item():.3e}" for name, value in terms.items())
            return f"{it:4d}  {body}"

        self._entries.append(line)  # <- culprit

    def render(self, last):
        return "\n".join(line() for line in self._entries[-last:])
