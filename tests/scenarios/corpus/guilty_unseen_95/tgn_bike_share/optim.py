import torch
from torch.optim import Optimizer


class Lamb(Optimizer):
    """LAMB, after the usual reference implementation."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.999), eps=1e-6, weight_decay=0.0):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps, weight_decay=weight_decay))

    def step(self, closure=None):
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                st = self.state[p]
                if not st:
                    st["m"] = torch.zeros_like(p.data)
                    st["v"] = torch.zeros_like(p.data)
                st["m"].mul_(b1).add_(grad, alpha=1 - b1)
                st["v"].mul_(b2).addcmul_(grad, grad, value=1 - b2)
                upd = st["m"] / (st["v"].sqrt() + group["eps"])
                if group["weight_decay"]:
                    upd = upd + group["weight_decay"] * p.data
                wn, un = p.data.norm().clamp(0, 10), upd.norm()
                trust = float(wn / un) if wn > 0 and un > 0 else 1.0
                p.data.add_(upd, alpha=-group["lr"] * trust)
        return loss
