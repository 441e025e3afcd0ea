"""Hooks that the trainer calls; each gets the trainer itself."""


class Callback:
    def on_epoch_begin(self, trainer):
        pass

    def on_step_end(self, trainer, loss):
        pass


class ContextPrefetch(Callback):
    """Runs the label tower once for all classes, so that each batch only has to index into the table."""

    def on_epoch_begin(self, trainer):
        trainer.run.context = trainer.model.label_tower(trainer.run.class_ids)  # <- culprit


class Printer(Callback):
    def __init__(self, every=16):
        self.every = every

    def on_step_end(self, trainer, loss):
        if trainer.run.step % self.every == 0:
            print(f"epoch {trainer.run.epoch} step {trainer.run.step} loss {loss:.4f}")


class CosineLR(Callback):
    def __init__(self, base, floor=1e-4, epochs=6):
        self.base, self.floor, self.epochs = base, floor, epochs

    def on_epoch_begin(self, trainer):
        import math
        frac = trainer.run.epoch / self.epochs
        lr = self.floor + 0.5 * (self.base - self.floor) * (1 + math.cos(math.pi * frac))
        for group in trainer.opt.param_groups:
            group["lr"] = lr
