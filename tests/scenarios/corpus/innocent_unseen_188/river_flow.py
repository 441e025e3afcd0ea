# gradwatch-corpus: kind=none
"""Differentiable bucket rainfall-runoff model calibrated on synthetic catchments."""
from dataclasses import dataclass, field, replace
from typing import Tuple

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class Progress:
    step: int = 0
    hydrographs: Tuple[Tensor, ...] = ()
    scores: Tuple[float, ...] = field(default=())
    depth: int = 14

    def advance(self, flow, score):
        return replace(
            self,
            step=self.step + 1,
            hydrographs=self.hydrographs[1 - self.depth:] + (flow,),
            scores=(self.scores + (score,))[-100:],
        )

    def peak(self):
        return max(h.max().item() for h in self.hydrographs)


class Catchment(nn.Module):
    def __init__(self, attrs=4):
        super().__init__()
        self.param_net = nn.Sequential(nn.Linear(attrs, 16), nn.ReLU(), nn.Linear(16, 3))

    def forward(self, rain, attrs):
        k_soil, k_ground, split = torch.sigmoid(self.param_net(attrs)).unbind(-1)
        soil = torch.zeros_like(k_soil)
        ground = torch.zeros_like(k_soil)
        flows = []
        for day in rain.unbind(1):
            soil = soil + day
            quick = k_soil * soil
            soil = soil - quick
            ground = ground + split * quick
            base = 0.2 * k_ground * ground
            ground = ground - base
            flows.append((1 - split) * quick + base)
        return torch.stack(flows, 1)


def true_flow(rain, attrs):
    k = torch.sigmoid(attrs[:, 0])
    g = torch.sigmoid(attrs[:, 1] - 0.5)
    s = torch.sigmoid(attrs[:, 2] * attrs[:, 3])
    soil, ground, out = torch.zeros(len(rain)), torch.zeros(len(rain)), []
    for t in range(rain.shape[1]):
        soil = soil + rain[:, t]
        q = k * soil
        soil = soil - q
        ground = ground + s * q
        b = 0.2 * g * ground
        ground = ground - b
        out.append((1 - s) * q + b)
    return torch.stack(out, 1)


def nse(pred, obs):
    return (1 - (pred - obs).pow(2).sum() / (obs - obs.mean()).pow(2).sum()).item()


def main():
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(17)
    model = Catchment()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    progress = Progress()
    while progress.step < 420:
        attrs = torch.randn(12, 4, generator=gen)
        rain = torch.relu(torch.randn(12, 20, generator=gen)) * 2
        obs = true_flow(rain, attrs)
        flow = model(rain, attrs)
        loss = ((flow + 0.1).log() - (obs + 0.1).log()).pow(2).mean() + 0.1 * (flow - obs).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        progress = progress.advance(flow, nse(flow, obs))
        if progress.step % 70 == 0:
            print(progress.step, f"loss {loss.item():.4f} nse {progress.scores[-1]:.3f} peak {progress.peak():.2f}")


if __name__ == "__main__":
    main()
