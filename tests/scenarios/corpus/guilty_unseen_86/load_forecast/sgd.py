import torch


class HeavyBall(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01, beta=0.8, clip=1.0):
        super().__init__(params, dict(lr=lr, beta=beta, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data.clamp(-group["clip"], group["clip"])
                v = self.state[p].setdefault("v", torch.zeros_like(p.data))
                v.mul_(group["beta"]).add_(g)
                p.data.add_(v, alpha=-group["lr"])
