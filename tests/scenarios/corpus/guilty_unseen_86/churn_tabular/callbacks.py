class Callback:
    def on_batch_begin(self, step):
        pass

    def on_batch_end(self, step, logs):
        pass

    def on_fit_end(self):
        pass


class CallbackList(Callback):
    def __init__(self, items):
        self.items = items

    def on_batch_begin(self, step):
        for c in self.items:
            c.on_batch_begin(step)

    def on_batch_end(self, step, logs):
        for c in self.items:
            c.on_batch_end(step, logs)

    def on_fit_end(self):
        for c in self.items:
            c.on_fit_end()


class LRWarmup(Callback):
    def __init__(self, opt, steps):
        self.opt, self.steps = opt, steps
        self.base = [g["lr"] for g in opt.param_groups]

    def on_batch_begin(self, step):
        k = min(1.0, (step + 1) / self.steps)
        for g, lr in zip(self.opt.param_groups, self.base):
            g["lr"] = lr * k


class Meter:
    def __init__(self):
        self.sums = {}
        self.count = 0

    def update(self, logs):
        for key, val in logs.items():
            self.sums[key] = self.sums.get(key, 0.0) + val  # <- culprit
        self.count += 1

    def means(self):
        return {k: v.item() / self.count for k, v in self.sums.items()}


class EpochMeter(Callback):
    """Averages over the whole fit so far."""

    def __init__(self, report_every):
        self.meter = Meter()
        self.every = report_every

    def on_batch_end(self, step, logs):
        self.meter.update(logs)  # <- culprit
        if (step + 1) % self.every == 0:
            print(step + 1, {k: round(v, 4) for k, v in self.meter.means().items()})

    def on_fit_end(self):
        print("fit", {k: round(v, 4) for k, v in self.meter.means().items()})
