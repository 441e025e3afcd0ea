import torch


class GradBalance:
    """Weights such that each term's gradient has about the same norm, smoothed."""

    def __init__(self, params, names, momentum=0.9):
        self.params = params
        self.momentum = momentum
        self.weight = {name: 1.0 for name in names}

    def norm(self, value):
        grads = torch.autograd.grad(value, self.params, retain_graph=True, allow_unused=True)
        return sum(g.pow(2).sum() for g in grads if g is not None).sqrt().item()

    def refresh(self, terms):
        norms = {name: self.norm(value) + 1e-8 for name, value in terms.items()}
        mean = sum(norms.values()) / len(norms)
        for name, norm in norms.items():
            fresh = min(mean / norm, 50.0)
            self.weight[name] = self.momentum * self.weight[name] + (1 - self.momentum) * fresh
