# gradwatch-corpus: kind=graph-held
# holder: self._memo | net.embed._memo | embed._memo | model.embed._memo
# first-bad: 1
# notice: 8
"""Acoustic pressure in a duct with learnable Fourier features."""
import torch

torch.set_num_threads(1)

from duct.network import DuctNet
from duct.physics import Residuals
from duct.sampler import StripSampler


def solve(model, sampler, physics, steps):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    trace = []
    for step in range(steps):
        strip = sampler.next_strip()
        loss = physics.total(model, strip)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        trace.append(loss.item())
    return trace


if __name__ == "__main__":
    torch.manual_seed(14)
    model = DuctNet(features=8, width=16)
    trace = solve(model, StripSampler(points=16), Residuals(wavenumber=3.0), steps=420)
    print(sum(trace[:20]) / 20, sum(trace[-20:]) / 20)
