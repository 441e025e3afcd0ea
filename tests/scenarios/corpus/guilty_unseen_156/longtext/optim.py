import torch


class SignMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("m", torch.zeros_like(p.data))
                buf.mul_(group["beta"]).add_(p.grad.data, alpha=1 - group["beta"])
                p.data.add_(buf.sign(), alpha=-group["lr"])
