import torch

from .registry import HOOKS


class Hook:
    def before_run(self, runner):
        pass

    def after_train_iter(self, runner, batch_idx, outputs):
        pass

    def every_n(self, idx, n):
        return (idx + 1) % n == 0


class AveragedParams:
    def __init__(self, model, momentum):
        self.momentum = momentum
        self.steps = 0
        self.avg = {k: v.detach().clone() for k, v in model.named_parameters()}

    def rate(self):
        return max(self.momentum, 1.0 / (self.steps + 1))

    def update(self, model):
        m = self.rate()
        for name, param in model.named_parameters():
            self.avg[name] = torch.lerp(self.avg[name], param, m)  # <- culprit
        self.steps += 1


@HOOKS.register_module
class EMAHook(Hook):
    def __init__(self, momentum=0.02):
        self.momentum = momentum

    def before_run(self, runner):
        runner.ema = AveragedParams(runner.model.backbone, self.momentum)

    def after_train_iter(self, runner, batch_idx, outputs):
        runner.ema.update(runner.model.backbone)


@HOOKS.register_module
class LoggerHook(Hook):
    def __init__(self, interval=20):
        self.interval = interval

    def after_train_iter(self, runner, batch_idx, outputs):
        if self.every_n(batch_idx, self.interval):
            print(f"Iter [{batch_idx + 1}/{runner.max_iters}] " + " ".join(f"{k}: {v:.4f}" for k, v in outputs.items()))
