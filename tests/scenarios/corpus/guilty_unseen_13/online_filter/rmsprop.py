import torch


class HandRMS:
    """RMSprop on p.data, as in the C++ version on the board (so that both can be compared)."""

    def __init__(self, params, lr, rho=0.95, eps=1e-6):
        self.params = list(params)
        self.lr, self.rho, self.eps = lr, rho, eps
        self.square = [torch.zeros_like(p.data) for p in self.params]

    def clear(self):
        for p in self.params:
            p.grad = None

    def update(self):
        for p, s in zip(self.params, self.square):
            g = p.grad.clamp(-1.0, 1.0)
            s.mul_(self.rho).addcmul_(g, g, value=1 - self.rho)
            p.data.addcdiv_(g, s.sqrt() + self.eps, value=-self.lr)
