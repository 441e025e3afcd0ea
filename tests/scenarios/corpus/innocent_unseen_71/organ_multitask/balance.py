from collections import defaultdict, deque

import torch


class Balancer:
    """Inverse gradient-norm weights, smoothed over a window of steps."""

    def __init__(self, tasks, alpha, window=20):
        self.tasks, self.alpha = tasks, alpha
        self.norms = defaultdict(lambda: deque(maxlen=window))
        self.latest = {}
        self.mask_grad = deque(maxlen=500)

    def __call__(self, losses, shared):
        self.latest = losses
        for name in self.tasks:
            (g,) = torch.autograd.grad(losses[name], shared, retain_graph=True)
            self.norms[name].append(g.norm())
        mean = {n: torch.stack(tuple(self.norms[n])).mean() for n in self.tasks}
        top = sum(mean.values()) / len(mean)
        return {n: (top / (m + 1e-8)).pow(self.alpha).clamp(0.1, 10.0) for n, m in mean.items()}

    def observe(self, layer):
        self.mask_grad.append(layer.weight.grad.norm())

    def __repr__(self):
        tail = list(self.mask_grad)[-10:]
        return f"last layer |grad| {torch.stack(tail).mean().item():.4f}"
