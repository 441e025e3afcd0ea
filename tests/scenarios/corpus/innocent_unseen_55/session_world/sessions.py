class Sessions(dict):
    """who -> state at the end of that session's last window."""

    def __init__(self, start):
        super().__init__()
        self.start = start
        self.resumed = 0

    def __missing__(self, who):
        return self.start()

    def __getitem__(self, who):
        self.resumed += who in self
        return super().__getitem__(who)

    def __setitem__(self, who, state):
        super().__setitem__(who, state.sealed())
