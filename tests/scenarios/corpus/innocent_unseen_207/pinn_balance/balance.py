import torch


class GradientBalance:
    """Weights each term so that its gradient is as large as that of the first."""

    def __init__(self, shared, terms, beta=0.9):
        self.shared = list(shared)
        self.beta = beta
        self.weights = {name: torch.tensor(1.0) for name in terms}

    def size(self, value):
        grads = torch.autograd.grad(value, self.shared, retain_graph=True)
        return torch.cat([g.flatten() for g in grads]).abs().mean()

    def update(self, terms):
        sizes = {name: self.size(value) for name, value in terms.items()}
        lead = next(iter(sizes.values()))
        for name, size in sizes.items():
            target = (lead / (size + 1e-8)).clamp(0.1, 20)
            self.weights[name] = self.beta * self.weights[name] + (1 - self.beta) * target

    def __call__(self, terms):
        return sum(self.weights[name] * value for name, value in terms.items())
