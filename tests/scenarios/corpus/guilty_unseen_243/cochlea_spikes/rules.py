import torch


class SignedMomentum(torch.optim.Optimizer):
    def __init__(self, params, lr=1e-3, beta=0.9):
        super().__init__(params, dict(lr=lr, beta=beta))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                memo = self.state[p]
                if "drift" not in memo:
                    memo["drift"] = torch.zeros_like(p)
                drift = memo["drift"]
                drift.mul_(group["beta"]).add_(p.grad, alpha=1 - group["beta"])
                p.add_(drift.sign(), alpha=-group["lr"])
