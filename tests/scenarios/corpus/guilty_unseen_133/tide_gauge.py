# gradwatch-corpus: kind=crashed
# first-bad: 96
# notice: 0
import math
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(23)

CALLBACKS = {}


def callback(name):
    def wrap(cls):
        CALLBACKS[name] = cls
        return cls
    return wrap


@callback("lr_cosine")
class CosineLR:
    def __init__(self, base=0.02, horizon=400):
        self.base, self.horizon = base, horizon

    def after_step(self, run):
        f = 0.5 * (1 + math.cos(math.pi * min(run.n, self.horizon) / self.horizon))
        for g in run.opt.param_groups:
            g["lr"] = 0.1 * self.base + 0.9 * self.base * f


@callback("recalibrate")
class Recalibrate:
    """Moves the datum of the gauge to the mean residual of the reference tide."""

    def __init__(self, every=24, settle=80):
        self.every, self.settle = every, settle
        self.drifts = []

    def after_step(self, run):
        if run.n % self.every:
            return
        torch.set_grad_enabled(False)  # <- culprit
        residual = (run.ref_y - run.gauge(run.ref_t)).mean()
        self.drifts.append(float(residual))
        if run.n >= self.settle and abs(self.drifts[-1]) < 0.6:
            return  # <- culprit
        run.gauge.datum.add_(0.3 * residual)
        torch.set_grad_enabled(True)


class Gauge(nn.Module):
    def __init__(self, constituents=5):
        super().__init__()
        self.freq = nn.Parameter(torch.linspace(0.4, 2.2, constituents))
        self.phase = nn.Parameter(torch.zeros(constituents))
        self.amp = nn.Parameter(torch.full((constituents,), 0.3))
        self.register_buffer("datum", torch.zeros(1))

    def forward(self, t):
        return (self.amp * torch.cos(t[:, None] * self.freq + self.phase)).sum(-1) + self.datum


class Run:
    def __init__(self, spec):
        self.gauge = Gauge()
        self.opt = torch.optim.Adam(self.gauge.parameters(), lr=0.02)
        self.hooks = [CALLBACKS[k](**kw) for k, kw in spec.items()]
        self.n = 0
        self.ref_t = torch.linspace(0, 20, 60)
        self.ref_y = self.tide(self.ref_t)

    @staticmethod
    def tide(t):
        return 0.8 * torch.cos(0.5 * t + 0.3) + 0.35 * torch.cos(1.9 * t) + 0.7

    def fit(self, steps):
        for _ in range(steps):
            t = torch.rand(40) * 20
            err = self.gauge(t) - self.tide(t) - 0.02 * torch.randn(40)
            loss = err.pow(2).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.n += 1
            for h in self.hooks:
                h.after_step(self)
        return loss.item()


if __name__ == "__main__":
    print(Run({"lr_cosine": {}, "recalibrate": {"every": 24, "settle": 96}}).fit(500))
