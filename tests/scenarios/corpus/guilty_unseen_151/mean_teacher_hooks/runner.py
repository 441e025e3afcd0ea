import torch

from . import model  # noqa: F401
from .registry import HOOKS, MODELS


class Runner:
    def __init__(self, model, hooks, max_iters, lr=0.05):
        self.model = MODELS.build(model)
        self.hooks = [HOOKS.build(h) for h in hooks]
        self.max_iters = max_iters
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.9)

    def call_hook(self, name, **kwargs):
        for hook in self.hooks:
            getattr(hook, name)(self, **kwargs)

    def parse_losses(self, losses):
        total = sum(losses.values())
        return total, {k: v.item() for k, v in losses.items()} | {"loss": total.item()}

    def train(self, loader):
        self.call_hook("before_run")
        for idx in range(self.max_iters):
            losses = self.model.loss(*next(loader), teacher_params=self.ema.avg)
            total, log_vars = self.parse_losses(losses)
            self.optimizer.zero_grad()
            total.backward()
            self.optimizer.step()
            self.call_hook("after_train_iter", batch_idx=idx, outputs=log_vars)
