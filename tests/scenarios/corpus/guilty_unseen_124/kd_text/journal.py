class Journal:
    """Messages are formatted only if somebody wants to read them."""

    def __init__(self, verbose):
        self.verbose = verbose
        self.pending = []

    def later(self, make):
        self.pending.append(make)  # <- culprit

    def flush(self):
        if not self.verbose:
            return  # <- culprit
        for make in self.pending:
            print(make())
        self.pending.clear()
