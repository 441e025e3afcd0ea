class LossAccumulator:
    """Collects losses until there are enough of them, then makes one step on their mean."""

    def __init__(self, bus, optimizer, every):
        self.bus, self.opt, self.every = bus, optimizer, every
        self.pending = []
        self.updates = 0
        bus.on("loss", self.collect)

    def collect(self, task, value):
        self.pending.append(value)
        if len(self.pending) >= self.every:
            self.flush()

    def flush(self):
        loss = sum(self.pending) / len(self.pending)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.pending.clear()
        self.updates += 1
        self.bus.post("updated", number=self.updates)
