import torch


class Hook:
    def before_step(self, trainer):
        pass

    def after_forward(self, trainer):
        pass

    def after_step(self, trainer):
        pass


class LRWarmup(Hook):
    def __init__(self, n):
        self.n = n

    def before_step(self, trainer):
        base = trainer.base_lr
        for g in trainer.opt.param_groups:
            g["lr"] = base * min(1.0, (trainer.it + 1) / self.n)


class LipschitzCap(Hook):
    def __init__(self, limit, start, every):
        self.limit, self.start, self.every = limit, start, every

    def due(self, it):
        return it >= self.start and (it - self.start) % self.every == 0

    @torch.no_grad()
    def after_forward(self, trainer):  # <- culprit
        if not self.due(trainer.it):
            return
        for mod in trainer.model.modules():
            if isinstance(mod, torch.nn.Linear):
                mod.weight.clamp_(-self.limit, self.limit)  # <- culprit
