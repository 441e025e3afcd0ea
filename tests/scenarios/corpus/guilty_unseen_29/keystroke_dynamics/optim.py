from torch.optim import Optimizer


class PlainSGD(Optimizer):
    """The update of the old tutorials, with clipping by value."""

    def __init__(self, params, lr, clip=1.0):
        super().__init__(params, dict(lr=lr, clip=clip))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                d_p = p.grad.data.clamp(-group["clip"], group["clip"])
                p.data.add_(d_p, alpha=-group["lr"])
