"""Sign descent with momentum, as in the first public versions of Lion (works on p.data)."""
import torch


class SignDescent(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99), weight_decay=0.01):
        super().__init__(params, dict(lr=lr, betas=betas, weight_decay=weight_decay))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                avg = self.state[p].setdefault("avg", torch.zeros_like(p))
                update = (avg * b1 + p.grad * (1 - b1)).sign_()
                p.data.mul_(1 - group["lr"] * group["weight_decay"])
                p.data.add_(update, alpha=-group["lr"])
                avg.mul_(b2).add_(p.grad, alpha=1 - b2)
