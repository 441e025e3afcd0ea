from meters import MeterBank


class Callback:
    pass


class LRWarmup(Callback):
    def __init__(self, steps):
        self.steps = steps

    def on_fit_start(self, trainer):
        self.base = [g["lr"] for g in trainer.optimizer.param_groups]

    def on_step_start(self, trainer):
        scale = min(1.0, (trainer.global_step + 1) / self.steps)
        for g, lr in zip(trainer.optimizer.param_groups, self.base):
            g["lr"] = lr * scale


class MetricTracker(Callback):
    def __init__(self, print_every):
        self.print_every = print_every
        self.meters = MeterBank()

    def on_step_end(self, trainer, out):
        n = out["n"]
        self.meters.update(n, **{k: v for k, v in out.items() if k != "n"})  # <- culprit
        if trainer.global_step % self.print_every == 0:
            print(trainer.global_step, self.meters)

    def on_fit_end(self, trainer):
        print("final", self.meters)
