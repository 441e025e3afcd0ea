import torch


class ClippedMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum, clip):
        super().__init__(params, dict(lr=lr, momentum=momentum, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                n = g.norm()
                if n > group["clip"]:
                    g = g * (group["clip"] / n)
                v = self.state[p].get("v")
                v = g.clone() if v is None else v.mul_(group["momentum"]).add_(g)
                self.state[p]["v"] = v
                p.data.add_(v, alpha=-group["lr"])
