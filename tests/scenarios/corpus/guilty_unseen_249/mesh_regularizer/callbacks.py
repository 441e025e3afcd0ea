import torch


class Callback:
    def on_forward_end(self, trainer, step):
        pass

    def on_step_end(self, trainer, step):
        pass


class CallbackList(Callback):
    def __init__(self, members):
        self.members = list(members)

    def on_forward_end(self, trainer, step):
        for member in self.members:
            member.on_forward_end(trainer, step)

    def on_step_end(self, trainer, step):
        for member in self.members:
            member.on_step_end(trainer, step)


class UnitRows(Callback):
    """Projects the rows of one weight back to the unit sphere."""

    def __init__(self, target, every):
        self.target = target
        self.every = every

    @torch.no_grad()
    def on_forward_end(self, trainer, step):  # <- culprit
        if (step + 1) % self.every:
            return
        weight = trainer.model.get_parameter(self.target)
        weight.div_(weight.norm(dim=1, keepdim=True).clamp(min=1e-6))  # <- culprit


class LossPrinter(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, step):
        if step % self.every == 0:
            print(f"step {step} chamfer-ish {trainer.last:.4f}")
