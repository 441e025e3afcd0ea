import torch
from torch.optim import Optimizer


class AdaLite(Optimizer):
    """RMS-scaled SGD with bias correction."""

    def __init__(self, params, lr=1e-3, rho=0.95, eps=1e-8):
        super().__init__(params, dict(lr=lr, rho=rho, eps=eps))

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if not state:
                    state["t"] = 0
                    state["sq"] = torch.zeros_like(p.data)
                state["t"] += 1
                state["sq"].mul_(group["rho"]).addcmul_(grad, grad, value=1 - group["rho"])
                correction = 1 - group["rho"] ** state["t"]
                denom = (state["sq"] / correction).sqrt_().add_(group["eps"])
                p.data.addcdiv_(grad, denom, value=-group["lr"])
        return loss
