import torch


class RMSpropTF(torch.optim.Optimizer):
    """RMSprop with epsilon inside the square root (TF behaviour)."""

    def __init__(self, params, lr=1e-3, alpha=0.9, eps=1e-8):
        super().__init__(params, dict(lr=lr, alpha=alpha, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["square_avg"] = torch.ones_like(p.data)
                sq = state["square_avg"]
                sq.mul_(group["alpha"]).addcmul_(grad, grad, value=1 - group["alpha"])
                p.data.addcdiv_(grad, sq.add(group["eps"]).sqrt(), value=-group["lr"])
