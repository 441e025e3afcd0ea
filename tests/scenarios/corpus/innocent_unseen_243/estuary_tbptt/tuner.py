import torch


class Tuner(torch.optim.Optimizer):
    """Normalised gradient with a running scale."""

    def __init__(self, params, lr):
        super().__init__(params, dict(lr=lr, decay=0.95))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                memo = self.state[p]
                scale = memo.get("scale", torch.zeros(()))
                scale = group["decay"] * scale + (1 - group["decay"]) * p.grad.pow(2).mean()
                memo["scale"] = scale
                p.add_(p.grad / (scale.sqrt() + 1e-4), alpha=-group["lr"])
