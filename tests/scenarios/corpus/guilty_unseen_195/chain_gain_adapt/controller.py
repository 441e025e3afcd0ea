import torch


class AdaptiveGain:
    def __init__(self, init, lr=0.05, limit=5.0):
        self.gain = torch.tensor(init, requires_grad=True)
        self.lr = lr
        self.limit = limit
        self.updates = 0

    def adapt(self, cost):
        (g,) = torch.autograd.grad(cost, self.gain)
        g = g * min(1.0, self.limit / (g.norm().item() + 1e-8))
        self.gain = self.gain - self.lr * g  # <- culprit
        self.updates += 1
        return g.norm().item()
