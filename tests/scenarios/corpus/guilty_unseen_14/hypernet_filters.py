# gradwatch-corpus: kind=graph-held
# holder: HyperNet.generate | self.generate | hyper.generate | self.hyper.generate | generate | model.hyper.generate | HyperNet.generate.cache | net.hyper.generate
# first-bad: 1
"""Hypernetwork that writes the weights of a small per-sensor regressor from a learned sensor
code. The same weights serve the prediction and the smoothness term, so they are memoised."""
from functools import lru_cache
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(17)
SENSORS, WINDOW, HIDDEN = 24, 10, 12


class Generated(NamedTuple):
    w1: torch.Tensor
    b1: torch.Tensor
    w2: torch.Tensor
    b2: torch.Tensor


class HyperNet(nn.Module):
    SHAPES = ((HIDDEN, WINDOW), (HIDDEN,), (1, HIDDEN), (1,))

    def __init__(self, code_dim: int = 8, width: int = 48):
        super().__init__()
        self.sizes = [torch.Size(s).numel() for s in self.SHAPES]
        self.trunk = nn.Sequential(nn.Linear(code_dim, width), nn.ReLU(), nn.Linear(width, sum(self.sizes)))
        nn.init.normal_(self.trunk[-1].weight, std=0.05)

    @lru_cache(maxsize=None)  # <- culprit
    def generate(self, code: torch.Tensor) -> Generated:
        flat = self.trunk(code)
        parts = flat.split(self.sizes, dim=-1)
        return Generated(*(p.reshape(s) for p, s in zip(parts, self.SHAPES)))


class SensorModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.codes = nn.Embedding(SENSORS, 8)
        self.hyper = HyperNet()

    def code_for(self, sensor: int) -> torch.Tensor:
        return self.codes(torch.tensor(sensor))

    def predict(self, code: torch.Tensor, windows: torch.Tensor) -> torch.Tensor:
        g = self.hyper.generate(code)  # <- culprit
        return F.linear(torch.tanh(F.linear(windows, g.w1, g.b1)), g.w2, g.b2).squeeze(-1)

    def roughness(self, code: torch.Tensor) -> torch.Tensor:
        w1 = self.hyper.generate(code).w1
        return (w1[:, 1:] - w1[:, :-1]).square().mean()

    def magnitude(self, code: torch.Tensor) -> torch.Tensor:
        g = self.hyper.generate(code)
        return g.w1.square().mean() + g.w2.square().mean()


class SensorFarm:
    """Each sensor low-passes a shared random walk with its own kernel and delay."""

    def __init__(self, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        self.kernels = torch.softmax(torch.randn(SENSORS, WINDOW, generator=self.gen) * 1.5, -1)
        self.gains = 0.5 + torch.rand(SENSORS, generator=self.gen)

    def read(self, sensor: int, n: int):
        walk = torch.randn(n, WINDOW, generator=self.gen).cumsum(1) * 0.4
        clean = torch.tanh(self.gains[sensor] * (walk @ self.kernels[sensor]))
        return walk, clean + 0.02 * torch.randn(n, generator=self.gen)


def objective(model: SensorModel, sensor: int, windows, readings):
    code = model.code_for(sensor)
    fit = F.smooth_l1_loss(model.predict(code, windows), readings)
    return fit + 1e-2 * model.roughness(code) + 1e-3 * model.magnitude(code), fit


def schedule(total: int):
    order = torch.Generator().manual_seed(2)
    for it in range(total):
        yield it, int(torch.randint(SENSORS, (), generator=order))


def main(total: int = 500):
    farm, model = SensorFarm(3), SensorModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, total)
    per_sensor = [float("nan")] * SENSORS
    for it, sensor in schedule(total):
        opt.zero_grad(set_to_none=True)
        loss, fit = objective(model, sensor, *farm.read(sensor, 32))
        loss.backward()
        opt.step()
        sched.step()
        per_sensor[sensor] = fit.item()
        if it % 100 == 99:
            seen = sorted(v for v in per_sensor if v == v)
            print(f"{it + 1:4d}  median {seen[len(seen) // 2]:.4f}  worst {seen[-1]:.4f}  lr {sched.get_last_lr()[0]:.1e}")


if __name__ == "__main__":
    main()
