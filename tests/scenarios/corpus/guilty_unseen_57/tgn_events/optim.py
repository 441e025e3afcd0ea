"""Adagrad ported from our old trainer (pre-foreach)."""
from torch.optim import Optimizer


class PlainAdagrad(Optimizer):
    def __init__(self, params, lr=0.01, eps=1e-8):
        super().__init__(params, dict(lr=lr, eps=eps))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                g = p.grad.data
                st = self.state[p]
                if "acc" not in st:
                    st["acc"] = g.new_zeros(g.shape)
                st["acc"].addcmul_(g, g)
                p.data.addcdiv_(g, st["acc"].sqrt().add_(group["eps"]), value=-group["lr"])
