import torch


class SignMomentum(torch.optim.Optimizer):
    """Lion-like update, ported from an older code base."""

    def __init__(self, params, lr=1e-3, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                buf = self.state[p].setdefault("m", torch.zeros_like(g))
                update = buf.mul(group["beta"]).add(g, alpha=1 - group["beta"]).sign()
                buf.mul_(0.99).add_(g, alpha=0.01)
                p.data.add_(update, alpha=-group["lr"])
