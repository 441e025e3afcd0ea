import torch
from torch import nn

_REGISTRY = {}


def register(name):
    def deco(cls):
        _REGISTRY[name] = cls
        return cls
    return deco


def build(name, **kw):
    return _REGISTRY[name](**kw)


class StatefulEstimator(nn.Module):
    """Common part of all estimators that run next to the plant."""

    def __init__(self):
        super().__init__()
        self._carry = None

    def initial(self, rows):
        raise NotImplementedError

    def advance(self, u, carry):
        raise NotImplementedError

    def forget(self):
        self._carry = None

    def forward(self, u):
        # u: (columns, samples, tags)
        carry = self._carry
        if carry is None:
            carry = self.initial(u.size(0))
        outputs = []
        for t in range(u.size(1)):
            y, carry = self.advance(u[:, t], carry)
            outputs.append(y)
        self._carry = carry  # <- culprit
        return torch.stack(outputs, dim=1)


@register("static")
class StaticEstimator(StatefulEstimator):
    def __init__(self, n_tags, n_modes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_tags, n_modes), nn.Tanh(), nn.Linear(n_modes, 1))

    def initial(self, rows):
        return torch.zeros(rows, 1)

    def advance(self, u, carry):
        return self.net(u).squeeze(-1), carry


@register("diagonal")
class DiagonalEstimator(StatefulEstimator):
    """First-order lags in parallel, mixed by a linear read-out."""

    def __init__(self, n_tags, n_modes):
        super().__init__()
        self.pole = nn.Parameter(torch.linspace(0.0, 3.0, n_modes))
        self.inp = nn.Linear(n_tags, n_modes, bias=False)
        self.out = nn.Linear(n_modes, 1)

    def initial(self, rows):
        return torch.zeros(rows, self.pole.numel())

    def advance(self, u, carry):
        x = torch.lerp(self.inp(u), carry, torch.sigmoid(self.pole))
        return self.out(x).squeeze(-1), x
