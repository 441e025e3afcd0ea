class Observer:
    def __init__(self, pool):
        self.pool = pool

    def notify(self, tick, handle):
        self.on_result(tick, self.pool.deref(handle))

    def on_result(self, tick, result):
        raise NotImplementedError


class SpendObserver(Observer):
    def __init__(self, pool):
        super().__init__(pool)
        self.spend = 0.0

    def on_result(self, tick, result):
        self.spend += float((result.shade.detach() * result.values).sum())

    def describe(self):
        return f"spend {self.spend:.0f}"


class MarginObserver(Observer):
    def __init__(self, pool, decay=0.95):
        super().__init__(pool)
        self.decay, self.margin = decay, None

    def on_result(self, tick, result):
        now = 1.0 - float(result.shade.detach().mean())
        self.margin = now if self.margin is None else self.decay * self.margin + (1 - self.decay) * now

    def describe(self):
        return f"margin {0.0 if self.margin is None else self.margin:.3f}"
