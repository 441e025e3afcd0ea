import torch


class Lion(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-4, betas=(0.9, 0.99), wd=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, wd=wd))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                m = self.state[p].setdefault("m", torch.zeros_like(g))
                p.data.mul_(1 - group["lr"] * group["wd"])
                p.data.add_((m * b1 + g * (1 - b1)).sign(), alpha=-group["lr"])
                m.mul_(b2).add_(g, alpha=1 - b2)
