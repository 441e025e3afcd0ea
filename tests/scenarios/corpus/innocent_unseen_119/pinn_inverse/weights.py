import torch


class TermWeights:
    def __init__(self, names, beta=0.9):
        self.w = {n: 1.0 for n in names}
        self.beta = beta
        self.norms = []

    def update(self, terms, params):
        size = {}
        for n, t in terms.items():
            g = torch.autograd.grad(t, params, retain_graph=True, allow_unused=True)
            size[n] = torch.sqrt(sum(x.pow(2).sum() for x in g if x is not None))
        self.norms.append(size)
        total = sum(size.values())
        for n in terms:
            self.w[n] = self.beta * self.w[n] + (1 - self.beta) * min((total / (3 * size[n] + 1e-8)).item(), 20.0)

    def __call__(self, terms):
        return sum(self.w[n] * t for n, t in terms.items())


class PointMask:
    """Pointwise multipliers raised where the residual stays large."""

    def __init__(self, n, lr):
        self.lam = torch.ones(n, 1, requires_grad=True)
        self.lr = lr

    def value(self):
        return self.lam.detach()

    def apply(self, r):
        return self.lam * r

    def ascend(self):
        with torch.no_grad():
            self.lam += self.lr * self.lam.grad / (self.lam.grad.abs().max() + 1e-12)
            self.lam.clamp_(0.5, 3.0)
        self.lam.grad = None
