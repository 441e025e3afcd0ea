import torch
from torch.optim import Optimizer


class HeavyBall(Optimizer):
    """Plain momentum with a trust bound on the step, kept from the first version of the project."""

    def __init__(self, params, lr, momentum=0.8, bound=0.05):
        super().__init__(params, dict(lr=lr, momentum=momentum, bound=bound))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if "velocity" not in state:
                    state["velocity"] = torch.zeros_like(p.data)
                v = state["velocity"]
                v.mul_(group["momentum"]).add_(p.grad.data)
                move = (group["lr"] * v).clamp_(-group["bound"], group["bound"])
                p.data.add_(move, alpha=-1.0)
