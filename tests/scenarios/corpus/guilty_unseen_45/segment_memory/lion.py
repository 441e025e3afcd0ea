"""Lion (Chen et al. 2023), plain single-tensor version."""
import torch
from torch.optim import Optimizer


class Lion(Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    def step(self, closure=None):
        for group in self.param_groups:
            lr, wd, (b1, b2) = group["lr"], group["weight_decay"], group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if not state:
                    state["exp_avg"] = torch.zeros_like(p.data)
                m, g = state["exp_avg"], p.grad.data
                p.data.mul_(1 - lr * wd)
                p.data.add_(torch.sign(m * b1 + g * (1 - b1)), alpha=-lr)
                m.mul_(b2).add_(g, alpha=1 - b2)
