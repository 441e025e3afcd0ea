class ActivityCapture:
    """Outputs of the blocks seen in the current step, for the activity penalty."""

    def __init__(self, blocks):
        self.seen = []
        self.on = False
        for b in blocks:
            b.register_forward_hook(self._take)

    def _take(self, _module, _args, out):
        if self.on:
            self.seen.append(out)

    def __enter__(self):
        self.on = True
        return self

    def __exit__(self, *exc):
        self.on = False

    def drain(self):
        seen, self.seen = self.seen, []
        return [s.pow(2).mean() for s in seen]
