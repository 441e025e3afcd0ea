# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner.body[0].weight.grad | worker.body[0].weight.grad | [p.grad for p in worker.parameters()]
# first-bad: 1
# notice: 8
"""Reptile with curvature-scaled inner steps, for calibrating handheld spectrometers."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Settings:
    seed = 40
    bands = 18
    support = 10
    inner_lr = 0.08
    meta_lr = 0.5
    iterations = 420
    probe_scale = 1.0


class Calibrator(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(bands, 20), nn.Tanh(), nn.Linear(20, 1))

    def forward(self, s):
        return self.body(s).squeeze(-1)


class Instrument:
    """One device: own gain per band, own offset."""

    def __init__(self, bands):
        self.gain = 1 + 0.2 * torch.randn(bands)
        self.bias = 0.1 * torch.randn(bands)

    def readings(self, n):
        conc = torch.rand(n)
        peak = torch.exp(-torch.linspace(-2, 2, len(self.gain)).pow(2))
        return conc[:, None] * peak * self.gain + self.bias + 0.02 * torch.randn(n, len(self.gain)), conc


class InnerLoop:
    def __init__(self, cfg):
        self.cfg = cfg

    def curvature(self, params):
        probes = [torch.randint(0, 2, p.shape) * 2.0 - 1.0 for p in params]
        along = sum((p.grad * v).sum() for p, v in zip(params, probes))
        hv = torch.autograd.grad(along, params)
        return sum((h * v).sum() for h, v in zip(hv, probes)).abs().item()

    def fit(self, worker, data):
        x, y = data
        params = list(worker.parameters())
        loss = F.mse_loss(worker(x), y)
        loss.backward(create_graph=True)  # <- culprit
        rate = self.cfg.inner_lr / (1 + self.cfg.probe_scale * self.curvature(params))
        with torch.no_grad():
            for p in params:
                p.sub_(rate * p.grad)
        return loss.item()


class Reptile:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = Calibrator(cfg.bands)
        self.inner = InnerLoop(cfg)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.meta_lr)

    def round(self):
        worker = copy.deepcopy(self.net)
        device = Instrument(self.cfg.bands)
        value = self.inner.fit(worker, device.readings(self.cfg.support))
        self.opt.zero_grad()
        for mine, theirs in zip(self.net.parameters(), worker.parameters()):
            mine.grad = mine.detach() - theirs.detach()
        self.opt.step()
        return value

    def run(self):
        avg = None
        for i in range(self.cfg.iterations):
            v = self.round()
            avg = v if avg is None else 0.95 * avg + 0.05 * v
        print("support loss", avg)


if __name__ == "__main__":
    torch.manual_seed(Settings.seed)
    Reptile(Settings()).run()
