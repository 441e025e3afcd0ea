import math
from typing import Protocol


class Hook(Protocol):
    def before(self, trainer, step): ...

    def after(self, trainer, step, loss): ...


class CosineRate:
    def __init__(self, total):
        self.total = total
        self.base = None

    def before(self, trainer, step):
        group = trainer.optimizer.param_groups[0]
        if self.base is None:
            self.base = group["lr"]
        group["lr"] = 0.5 * self.base * (1 + math.cos(math.pi * step / self.total))

    def after(self, trainer, step, loss):
        pass


class ProgressPrinter:
    def __init__(self, every):
        self.every = every

    def before(self, trainer, step):
        pass

    def after(self, trainer, step, loss):
        if step % self.every == 0:
            print(f"step {step:3d}  loss {loss:.4f}  bank {trainer.method.bank.filled}/{len(trainer.method.bank)}")
