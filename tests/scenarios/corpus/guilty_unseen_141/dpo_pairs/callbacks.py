class Callback:
    def bind(self, trainer):
        self.trainer = trainer

    def on_step(self, step, logs):
        pass


class Progress(Callback):
    def __init__(self, every):
        self.every = every

    def on_step(self, step, logs):
        if step % self.every == 0:
            print(step, {k: round(float(v), 3) for k, v in logs.items()})


class History(Callback):
    def __init__(self):
        self.rows = []

    def on_step(self, step, logs):
        self.rows.append({"step": step, **logs})  # <- culprit

    def best(self, key):
        return round(max(float(r[key]) for r in self.rows), 3)


class WarmRestarts(Callback):
    def __init__(self, period):
        self.period = period

    def on_step(self, step, logs):
        phase = (step % self.period) / self.period
        for group in self.trainer.opt.param_groups:
            group["lr"] = group["initial_lr"] * (1 - 0.9 * phase)
