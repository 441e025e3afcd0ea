import torch


class LARS(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.9, eta=0.1):
        super().__init__(params, dict(lr=lr, momentum=momentum, eta=eta))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data
                trust = group["eta"] * (p.data.norm() + 1e-3) / (d_p.norm() + 1e-3)
                buf = self.state[p].setdefault("mu", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(d_p, alpha=group["lr"] * min(trust.item(), 1.0))
                p.data.sub_(buf)
