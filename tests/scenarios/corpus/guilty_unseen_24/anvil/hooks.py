import torch


class Hook:
    def after_backward(self, trainer): ...
    def after_step(self, trainer): ...


class GradNorm(Hook):
    def __init__(self, every):
        self.every = every

    def after_backward(self, trainer):
        if trainer.step % self.every == 0:
            norms = [p.grad.norm() for p in trainer.model.parameters() if p.grad is not None]
            print(f"step {trainer.step:4d} |g| = {torch.stack(norms).norm().item():.3f}")


class StepDecay(Hook):
    def __init__(self, at, factor):
        self.at, self.factor = set(at), factor

    def after_step(self, trainer):
        if trainer.step in self.at:
            for group in trainer.optimizer.param_groups:
                group["lr"] *= self.factor
