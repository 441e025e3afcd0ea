from registry import CALLBACKS, register


class Callback:
    def on_start(self, trainer): ...
    def on_batch(self, trainer, out): ...
    def on_end(self, trainer): ...


@register(CALLBACKS, "smooth")
class Smoother(Callback):
    def __init__(self, beta=0.98):
        self.beta = beta
        self.value = None

    def on_batch(self, trainer, out):
        current = out["loss"]
        if self.value is None:
            self.value = current
        else:
            self.value = self.beta * self.value + (1 - self.beta) * current  # <- culprit

    def on_end(self, trainer):
        print(f"smoothed logloss {self.value.item():.4f}")


@register(CALLBACKS, "progress")
class Progress(Callback):
    def __init__(self, every=100):
        self.every = every

    def on_batch(self, trainer, out):
        if trainer.global_step % self.every == 0:
            print(trainer.global_step, f"{out['loss'].item():.4f}", f"ctr={out['ctr']:.3f}")
