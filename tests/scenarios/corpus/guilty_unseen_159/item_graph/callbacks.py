class Chain:
    def __init__(self, links):
        self.links = links

    def after(self, k):
        for link in self.links:
            link.after(k)


class Stale:
    """Drops the item table when `due` says so."""

    def __init__(self, side, due):
        self.side, self.due = side, due

    def after(self, k):
        if self.due(k):  # <- culprit
            self.side.forget()


class Decay:
    def __init__(self, opt, total):
        self.opt, self.total = opt, total
        self.base = [g["lr"] for g in opt.param_groups]

    def after(self, k):
        for g, lr in zip(self.opt.param_groups, self.base):
            g["lr"] = lr * (1 - 0.5 * k / self.total)
