import torch

from registry import HOOKS


class Hook:
    def before_run(self, runner): pass
    def after_run(self, runner): pass
    def before_train_iter(self, runner): pass
    def after_train_iter(self, runner): pass

    def every_n_iters(self, runner, n):
        return (runner.iter + 1) % n == 0


@HOOKS.register_module
class OptimizerHook(Hook):
    def __init__(self, max_norm=None):
        self.max_norm = max_norm

    def after_train_iter(self, runner):
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()
        if self.max_norm is not None:
            torch.nn.utils.clip_grad_norm_(runner.model.parameters(), self.max_norm)
        runner.optimizer.step()


@HOOKS.register_module
class WarmupLrHook(Hook):
    def __init__(self, warmup_iters=50, warmup_ratio=0.1):
        self.warmup_iters, self.warmup_ratio = warmup_iters, warmup_ratio

    def before_run(self, runner):
        self.base = [g["lr"] for g in runner.optimizer.param_groups]

    def before_train_iter(self, runner):
        k = min(1.0, runner.iter / self.warmup_iters)
        for g, lr in zip(runner.optimizer.param_groups, self.base):
            g["lr"] = lr * (self.warmup_ratio + (1 - self.warmup_ratio) * k)


@HOOKS.register_module
class TextLoggerHook(Hook):
    def __init__(self, interval=50):
        self.interval = interval

    def after_train_iter(self, runner):
        if self.every_n_iters(runner, self.interval):
            runner.log_buffer.average(self.interval)
            items = ", ".join(f"{k}: {v:.4f}" for k, v in runner.log_buffer.output.items())
            print(f"Iter [{runner.iter + 1}/{runner.max_iters}] {items}")
            runner.log_buffer.clear_output()
