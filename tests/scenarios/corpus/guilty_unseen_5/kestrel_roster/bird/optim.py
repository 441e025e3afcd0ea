"""LARS as it was in our 2018 code base, kept so that old results reproduce."""
import torch
from torch.optim.optimizer import Optimizer


class OldLars(Optimizer):
    def __init__(self, params, lr=0.1, momentum=0.9, trust=0.02):
        super().__init__(params, dict(lr=lr, momentum=momentum, trust=trust))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                w_norm, g_norm = torch.norm(p.data), torch.norm(d_p)
                local = group["trust"] * w_norm / (g_norm + 1e-8) if w_norm > 0 else 1.0
                slot = self.state[p]
                if "mom" not in slot:
                    slot["mom"] = torch.zeros_like(p.data)
                slot["mom"].mul_(group["momentum"]).add_(d_p * local * group["lr"])
                p.data.add_(-slot["mom"])
