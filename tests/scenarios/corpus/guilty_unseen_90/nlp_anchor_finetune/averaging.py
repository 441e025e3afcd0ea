import torch


class ParameterAverage:
    """Exponential average of a set of named parameters."""

    def __init__(self, named_params, decay):
        self.decay = decay
        self.shadow = {n: p.detach().clone() for n, p in named_params}

    def distance(self, named_params):
        total = 0.0
        for n, p in named_params:
            total = total + (p - self.shadow[n]).pow(2).sum()
        return total

    def fold_in(self, named_params):
        d = self.decay
        for n, p in named_params:
            self.shadow[n] = torch.lerp(self.shadow[n], p, 1.0 - d)  # <- culprit
