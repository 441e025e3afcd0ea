import torch


class LossBalancer:
    """Weights each term so that the gradients are of like size (moving average)."""

    def __init__(self, params, names, keep=0.8):
        self.params = params
        self.keep = keep
        self.weights = {n: 1.0 for n in names}

    def _size(self, loss):
        grads = torch.autograd.grad(loss, self.params, retain_graph=True, allow_unused=True)
        return torch.cat([g.flatten() for g in grads if g is not None]).norm().item()

    def refresh(self, losses):
        sizes = {k: self._size(v) for k, v in losses.items()}
        top = max(sizes.values())
        for k, s in sizes.items():
            goal = min(top / (s + 1e-8), 20.0)
            self.weights[k] = self.keep * self.weights[k] + (1 - self.keep) * goal

    def combine(self, losses):
        return sum(self.weights[k] * v for k, v in losses.items())
