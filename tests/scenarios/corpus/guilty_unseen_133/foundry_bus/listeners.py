class Recorder:
    def __init__(self, stride):
        self.stride = stride
        self.rows = {}

    def collect(self, moment):
        if moment.index % self.stride:
            return
        self.rows[moment.index] = moment  # <- culprit

    def summary(self):
        keys = sorted(self.rows)
        tail = [self.rows[k].score.item() for k in keys[-10:]]
        return {"kept": len(keys), "tail": sum(tail) / len(tail)}


class Throttle:
    def __init__(self, opt, patience):
        self.opt, self.patience = opt, patience
        self.best, self.since = float("inf"), 0

    def observe(self, moment):
        now = moment.score.item()
        if now < self.best - 1e-3:
            self.best, self.since = now, 0
            return
        self.since += 1
        if self.since >= self.patience:
            for g in self.opt.param_groups:
                g["lr"] = max(g["lr"] * 0.5, 1e-4)
            self.since = 0
