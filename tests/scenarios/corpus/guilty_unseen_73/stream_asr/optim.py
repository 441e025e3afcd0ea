import torch


class NovoLike(torch.optim.Optimizer):
    """Layer-wise second moments, after NovoGrad."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.98), eps=1e-8):
        super().__init__(params, dict(lr=lr, betas=betas, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            b1, b2 = group["betas"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                st = self.state[p]
                if not st:
                    st["v"] = g.norm().pow(2)
                    st["m"] = torch.zeros_like(p.data)
                st["v"].mul_(b2).add_(g.norm().pow(2), alpha=1 - b2)
                st["m"].mul_(b1).add_(g / (st["v"].sqrt() + group["eps"]))
                p.data.add_(st["m"], alpha=-group["lr"])
