import torch


class SignMomentum(torch.optim.Optimizer):
    """Sign of the momentum, as in Lion but with one beta."""

    def __init__(self, params, lr=0.01, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("momentum", torch.zeros_like(p.data))
                buf.mul_(group["beta"]).add_(p.grad, alpha=1 - group["beta"])
                p.data.add_(buf.sign(), alpha=-group["lr"])
