# gradwatch-corpus: kind=graph-chain
# holder: self.fast | self.fast[name] | learner.fast
# first-bad: 1
"""Test-time adaptation of a sensor calibrator: meta-initialised, adapted as the drift goes on."""
from dataclasses import dataclass

import torch
from torch import nn
from torch.func import functional_call


@dataclass
class AdaptConfig:
    inner_lr: float = 0.02
    outer_lr: float = 1e-3
    episodes: int = 420
    support: int = 16
    query: int = 24
    drift: float = 0.02


class Calibrator(nn.Module):
    def __init__(self, width: int = 20):
        super().__init__()
        self.inp = nn.Linear(2, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        h = torch.tanh(self.inp(x))
        return self.out(torch.tanh(self.mid(h)))


class DriftingSensor:
    def __init__(self, drift: float, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.drift = drift
        self.gain, self.bias = 1.0, 0.0

    def advance(self):
        kick = torch.randn(2, generator=self.gen) * self.drift
        self.gain = 1.0 + 0.98 * (self.gain - 1.0) + kick[0].item()
        self.bias = 0.98 * self.bias + kick[1].item()

    def read(self, n: int):
        raw = torch.rand(n, 1, generator=self.gen) * 2 - 1
        temp = torch.rand(n, 1, generator=self.gen)
        truth = self.gain * raw + self.bias + 0.2 * torch.sin(3 * temp) * raw
        return torch.cat([raw, temp], dim=1), truth


class OnlineLearner:
    def __init__(self, net: nn.Module, cfg: AdaptConfig):
        self.net, self.cfg = net, cfg
        self.fast = dict(net.named_parameters())

    def predict(self, x):
        return functional_call(self.net, self.fast, (x,))

    def adapt(self, x, y):
        err = nn.functional.mse_loss(self.predict(x), y)
        grads = torch.autograd.grad(err, list(self.fast.values()))
        for name, g in zip(list(self.fast), grads):
            self.fast[name] = self.fast[name] - self.cfg.inner_lr * g  # <- culprit
        return err.item()


def main():
    torch.manual_seed(8)
    cfg = AdaptConfig()
    sensor = DriftingSensor(cfg.drift, seed=8)
    net = Calibrator()
    learner = OnlineLearner(net, cfg)
    meta_opt = torch.optim.Adam(net.parameters(), lr=cfg.outer_lr)
    before, after = 0.0, 0.0
    for episode in range(cfg.episodes):
        sensor.advance()
        support_err = learner.adapt(*sensor.read(cfg.support))
        qx, qy = sensor.read(cfg.query)
        query_loss = nn.functional.mse_loss(learner.predict(qx), qy)
        meta_opt.zero_grad()
        query_loss.backward()
        meta_opt.step()
        before = 0.95 * before + 0.05 * support_err
        after = 0.95 * after + 0.05 * query_loss.item()
        if episode % 140 == 139:
            print(f"episode {episode + 1}: support {before:.4f} query {after:.4f}")


if __name__ == "__main__":
    main()
