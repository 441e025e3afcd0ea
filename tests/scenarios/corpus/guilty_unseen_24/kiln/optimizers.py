import torch

from registry import OPTIMIZERS


@OPTIMIZERS.register("sgd")
class HeavyBall(torch.optim.Optimizer):
    def __init__(self, params, lr, momentum=0.0):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])
