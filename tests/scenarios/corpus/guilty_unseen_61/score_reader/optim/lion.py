"""Lion (Chen et al., 2023)."""
import torch


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad, state = p.grad.data, self.state[p]
                if not state:
                    state["m"] = torch.zeros_like(p.data)
                m = state["m"]
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                p.data.add_((b1 * m + (1 - b1) * grad).sign(), alpha=-group["lr"])
                m.mul_(b2).add_(grad, alpha=1 - b2)
