from torch.optim import Optimizer


class PlainSGD(Optimizer):
    """SGD with norm clipping per tensor, the way our old code base did it."""

    def __init__(self, params, lr=1e-2, clip=1.0):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                scale = min(1.0, group["clip"] / (g.norm().item() + 1e-8))
                p.data.add_(g, alpha=-group["lr"] * scale)
        return loss
