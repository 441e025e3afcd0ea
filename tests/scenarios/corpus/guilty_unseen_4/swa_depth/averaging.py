class TailAverage:
    """Equal-weight mean of the parameters over the tail of the run (SWA)."""

    def __init__(self, module, start):
        self.module, self.start = module, start
        self.seen = 0
        self.mean = {}

    def collect(self, step):
        if step < self.start:
            return
        self.seen += 1
        for name, p in self.module.named_parameters():
            if name not in self.mean:
                self.mean[name] = p.clone()
            else:
                self.mean[name] = self.mean[name] + (p - self.mean[name]) / self.seen  # <- culprit

    def state_dict(self):
        out = dict(self.module.state_dict())
        out.update({k: v.detach() for k, v in self.mean.items()})
        return out
