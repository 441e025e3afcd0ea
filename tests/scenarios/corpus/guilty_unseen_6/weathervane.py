# gradwatch-corpus: kind=graph-held
# holder: self._level | guide._level | self.level | guide.level
# first-bad: 1
"""Score-function variational inference for regime switches in daily wind speeds.

q(z) is a product of Bernoullis with logits from a small network; a running level of the bound serves as the
control variate, as in the black-box VI paper."""
import math

import torch
from torch import nn
import torch.nn.functional as F


class RunningBound:
    """Mixin: remembers the level of the bound."""
    momentum = 0.95
    _level = None

    @property
    def level(self):
        return 0.0 if self._level is None else self._level

    def observe(self, bound):
        here = bound.mean()  # <- culprit
        if self._level is None:
            self._level = here  # <- culprit
        else:
            self._level = self.momentum * self._level + (1 - self.momentum) * here  # <- culprit


class Guide(RunningBound, nn.Module):
    def __init__(self, window, hidden=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(window, hidden), nn.Tanh(), nn.Linear(hidden, window))

    def sample(self, gusts, k):
        logit = self.enc(gusts).expand(k, *gusts.shape)
        with torch.no_grad():
            z = torch.bernoulli(torch.sigmoid(logit))
        log_q = -F.binary_cross_entropy_with_logits(logit, z, reduction="none").sum(-1)
        return z, log_q


class SwitchModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Parameter(torch.tensor([0.2, 1.0]))
        self.log_sd = nn.Parameter(torch.zeros(2))
        self.stay = nn.Parameter(torch.tensor(1.0))

    def forward(self, gusts, z):
        mean = self.mu[0] + z * (self.mu[1] - self.mu[0])
        lsd = self.log_sd[0] + z * (self.log_sd[1] - self.log_sd[0])
        fit = -0.5 * ((gusts - mean) / lsd.exp()) ** 2 - lsd - 0.5 * math.log(2 * math.pi)
        same = (z[..., 1:] == z[..., :-1]).float()
        prior = same * F.logsigmoid(self.stay) + (1 - same) * F.logsigmoid(-self.stay)
        return fit.sum(-1) + prior.sum(-1)


def record(days, window, rng):
    regime, rows = 0.0, []
    for _ in range(days):
        line = []
        for _ in range(window):
            if torch.rand((), generator=rng) < 0.15:
                regime = 1.0 - regime
            line.append(2.2 * regime + (0.3 + 0.5 * regime) * torch.randn((), generator=rng).item())
        rows.append(line)
    return torch.tensor(rows)


def main():
    torch.manual_seed(17)
    rng = torch.Generator().manual_seed(1)
    archive = record(200, 16, rng)
    guide, model = Guide(16), SwitchModel()
    opt = torch.optim.Adam([{"params": guide.parameters(), "lr": 3e-3}, {"params": model.parameters(), "lr": 1e-2}])
    for it in range(400):
        gusts = archive[torch.randint(len(archive), (20,), generator=rng)]
        z, log_q = guide.sample(gusts, k=6)
        log_p = model(gusts, z)
        bound = log_p - log_q
        gain = (bound - guide.level).detach()
        objective = (log_q * gain).mean() + log_p.mean()
        opt.zero_grad()
        (-objective).backward()
        opt.step()
        guide.observe(bound)  # <- culprit
        if it % 50 == 0:
            print(f"it {it:3d}  running bound {torch.as_tensor(guide.level).item():9.3f}  means {model.mu.tolist()}")


if __name__ == "__main__":
    main()
