import collections


class Spike(RuntimeError):
    def __init__(self, cost, level):
        super().__init__(f"cost {cost.item():.3f} against {level:.3f}")
        self.cost = cost


class Guard:
    """Runs a step; a cost out of line is given up, remembered and slows the optimizer down."""

    def __init__(self, opt, backoff, recover):
        self.opt, self.backoff, self.recover = opt, backoff, recover
        self.base = opt.param_groups[0]["lr"]
        self.level, self.pace = None, 1.0
        self.incident = None
        self.counts = collections.Counter()

    def __enter__(self):
        self.opt.zero_grad()
        return self

    def drive(self, cost):
        now = cost.item()
        if self.level is not None and now > 1.8 * self.level:
            raise Spike(cost, self.level)
        cost.backward()
        self.opt.step()
        self.level = now if self.level is None else 0.95 * self.level + 0.05 * now
        self.pace = min(1.0, self.pace * self.recover)
        self.counts["sailed"] += 1

    def __exit__(self, kind, exc, tb):
        self.opt.param_groups[0]["lr"] = self.base * self.pace
        if kind is None or not issubclass(kind, Spike):
            return False
        self.incident = exc
        self.pace *= self.backoff
        self.level *= 1.02
        self.counts["spikes"] += 1
        return True

    def __repr__(self):
        return f"Guard({dict(self.counts)}, last incident: {self.incident})"
