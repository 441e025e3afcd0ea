class Pending:
    """What was decided, by ticket, until its measurement comes back."""

    def __init__(self):
        self._open = {}

    def park(self, ticket, logp, entropy):
        self._open[ticket] = (logp, entropy)

    def claim(self, ticket):
        return self._open.pop(ticket)

    def __len__(self):
        return len(self._open)
