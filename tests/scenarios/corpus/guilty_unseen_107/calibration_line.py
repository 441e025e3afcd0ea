# gradwatch-corpus: kind=graph-held
# holder: self.history | model.history
# first-bad: 1
# notice: 8
"""Calibrate a thermistor bridge: counts -> degrees, one affine map with a smooth correction table.

Two objectives are differentiated one after the other so that their gradients can be
compared (the cosine goes into the report).
"""
from typing import List, NamedTuple

import torch
from torch import Tensor


class Row(NamedTuple):
    step: int
    fit: Tensor
    rough: Tensor
    cosine: float


class Calibration:
    def __init__(self, knots: int, lam: float):
        self.gain = torch.tensor(0.5, requires_grad=True)
        self.offset = torch.tensor(0.0, requires_grad=True)
        self.table = torch.zeros(knots, requires_grad=True)
        self.lam = lam
        self.history: List[Row] = []

    @property
    def unknowns(self):
        return [self.gain, self.offset, self.table]

    def predict(self, counts: Tensor, bins: Tensor) -> Tensor:
        return self.gain * counts + self.offset + self.table[bins]

    def objectives(self, counts, bins, degrees):
        residual = self.predict(counts, bins) - degrees
        fit = residual.square().mean()
        second = self.table[2:] - 2 * self.table[1:-1] + self.table[:-2]
        rough = self.lam * second.square().sum() + 1e-3 * fit
        return fit, rough

    def note(self, step, fit, rough, cosine):
        self.history.append(Row(step, fit, rough, cosine))  # <- culprit


def flat_grads(params):
    return torch.cat([torch.zeros_like(p).flatten() if p.grad is None else p.grad.flatten().clone() for p in params])


def batches(n, size, knots, seed):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n):
        counts = torch.rand(size, generator=g) * 2 - 1
        bins = ((counts + 1) / 2 * knots).long().clamp(max=knots - 1)
        degrees = 1.7 * counts - 0.4 + 0.2 * torch.sin(4 * counts) + 0.02 * torch.randn(size, generator=g)
        yield counts, bins, degrees


def train(model: Calibration, steps: int):
    opt = torch.optim.Adam(model.unknowns, lr=0.03)
    for step, batch in enumerate(batches(steps, 64, len(model.table), seed=3)):
        fit, rough = model.objectives(*batch)

        opt.zero_grad()
        fit.backward(retain_graph=True)
        g_fit = flat_grads(model.unknowns)
        rough.backward(retain_graph=True)
        g_rough = flat_grads(model.unknowns) - g_fit
        opt.step()

        cosine = torch.cosine_similarity(g_fit, g_rough, dim=0).item()
        model.note(step, fit, rough, cosine)  # <- culprit


def report(model: Calibration, every: int = 40):
    print(" step      fit    rough   cos")
    for row in model.history[::every]:
        print(f"{row.step:5d} {row.fit.item():8.4f} {row.rough.item():8.5f} {row.cosine:+.2f}")


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = Calibration(knots=16, lam=0.5)
    train(model, 320)
    report(model)
    print("gain", round(model.gain.item(), 3), "offset", round(model.offset.item(), 3))
