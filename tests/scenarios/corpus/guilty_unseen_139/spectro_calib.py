# gradwatch-corpus: kind=graph-held
# holder: adapter.gain.grad | self.gain.grad | adapter.offset.grad | p.grad | adapter
# first-bad: 1
# notice: 8
"""Learns features which let one gradient step calibrate a spectrometer it has never met."""
from dataclasses import dataclass

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)


@dataclass(frozen=True)
class CalibConfig:
    bins: int = 16
    feats: int = 8
    inner_lr: float = 0.1
    tasks: int = 400


class Adapter(nn.Module):
    def __init__(self, feats):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(feats))
        self.offset = nn.Parameter(torch.zeros(()))

    def forward(self, phi):
        return phi @ self.gain + self.offset

    def moved(self, lr):
        return {name: p - lr * p.grad for name, p in self.named_parameters()}


class Instrument:
    def __init__(self, cfg):
        self.response = 1 + 0.3 * torch.randn(cfg.bins)
        self.zero = 0.2 * torch.randn(())

    def measure(self, n, truth_weights):
        clean = torch.rand(n, len(self.response))
        return clean * self.response, clean @ truth_weights + self.zero


class CalibrationLearner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.features = nn.Sequential(nn.Linear(cfg.bins, 24), nn.Softplus(), nn.Linear(24, cfg.feats))
        self.opt = torch.optim.Adam(self.features.parameters(), lr=1e-3)
        self.truth = torch.randn(cfg.bins) / cfg.bins ** 0.5

    def adapt(self, spectra, conc):
        adapter = Adapter(self.cfg.feats)
        fit = (adapter(self.features(spectra)) - conc).pow(2).mean()
        fit.backward(create_graph=True)  # <- culprit
        return adapter, adapter.moved(self.cfg.inner_lr)

    def task(self):
        inst = Instrument(self.cfg)
        adapter, fast = self.adapt(*inst.measure(10, self.truth))
        spectra, conc = inst.measure(10, self.truth)
        pred = torch.func.functional_call(adapter, fast, (self.features(spectra),))
        outer = (pred - conc).pow(2).mean()
        self.opt.zero_grad()
        outer.backward()
        self.opt.step()
        return outer.item()


cfg = CalibConfig()
learner = CalibrationLearner(cfg)
recent = 0.0
for t in range(cfg.tasks):
    recent = 0.95 * recent + 0.05 * learner.task()
    if t % 100 == 99:
        print(t + 1, round(recent, 4))
