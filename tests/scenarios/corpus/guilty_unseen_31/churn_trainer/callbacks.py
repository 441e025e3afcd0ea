class Meter:
    def __init__(self):
        self.sum = 0.0
        self.count = 0

    def update(self, value, n=1):
        self.sum = self.sum + value * n  # <- culprit
        self.count += n

    @property
    def mean(self):
        return self.sum / max(self.count, 1)


class Callback:
    def on_step(self, trainer, **info):
        pass

    def on_epoch(self, trainer, **info):
        pass


class Progress(Callback):
    def __init__(self, print_every):
        self.print_every = print_every
        self.meters = {"loss": Meter(), "acc": Meter()}

    def on_step(self, trainer, n, **values):
        for key, v in values.items():
            self.meters[key].update(v, n)  # <- culprit
        if trainer.global_step % self.print_every == 0:
            line = "  ".join(f"{k} {float(m.mean):.4f}" for k, m in self.meters.items())
            print(f"step {trainer.global_step:4d}  {line}")

    def on_epoch(self, trainer, epoch, valid_loss):
        print(f"epoch {epoch}: valid loss {valid_loss:.4f}")


class EarlyStop(Callback):
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def on_epoch(self, trainer, epoch, valid_loss):
        if valid_loss < self.best:
            self.best, self.bad = valid_loss, 0
        else:
            self.bad += 1
            trainer.should_stop = self.bad >= self.patience
