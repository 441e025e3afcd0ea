from types import SimpleNamespace


class Accumulate:
    """`with` block whose note.loss is walked back on leaving; the optimizer fires on every n-th."""

    def __init__(self, opt, every):
        self.opt, self.every = opt, every
        self.calls = self.done = 0
        self.fired = False

    def __enter__(self):
        self.note = SimpleNamespace(loss=None)
        return self.note

    def __exit__(self, kind, *_):
        if kind is not None:
            return False
        (self.note.loss / self.every).backward()
        self.calls += 1
        self.fired = self.calls % self.every == 0
        if self.fired:
            self.opt.step()
            self.opt.zero_grad()
            self.done += 1
        return False
