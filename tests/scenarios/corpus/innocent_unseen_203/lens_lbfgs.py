# gradwatch-corpus: kind=none
"""Lens design by L-BFGS from several starts, keeping the best prescription."""
import copy

import torch
from torch import nn


class Doublet(nn.Module):
    def __init__(self, gen):
        super().__init__()
        self.curv = nn.Parameter(0.3 * torch.randn(4, generator=gen))
        self.gap = nn.Parameter(0.2 + 0.1 * torch.rand(3, generator=gen))
        self.register_buffer("index", torch.tensor([1.0, 1.52, 1.0, 1.64, 1.0]))

    def trace(self, height, angle):
        y, u = height, angle
        for i in range(4):
            power = (self.index[i + 1] - self.index[i]) * self.curv[i]
            bend = 1 + 0.1 * self.curv[i] ** 2 * y ** 2
            u = (self.index[i] * u - y * power * bend) / self.index[i + 1]
            if i < 3:
                y = y + self.gap[i].abs() * u
        return y, u

    def forward(self, height, angle, focus=2.0):
        y, u = self.trace(height, angle)
        return y + focus * u


class Design:
    def __init__(self, lens, height, angle):
        self.lens, self.height, self.angle = lens, height, angle
        self.opt = torch.optim.LBFGS(lens.parameters(), lr=0.5, max_iter=4, history_size=8)
        self.calls = 0
        self.parts = None

    def objective(self):
        spot = self.lens(self.height, self.angle)
        centre = spot.mean(1, keepdim=True)
        blur = (spot - centre).pow(2).mean()
        scale = (centre.squeeze(1) - 2.0 * self.angle[:, 0]).pow(2).mean()
        tame = 1e-3 * self.lens.curv.pow(2).sum()
        self.parts = [p.detach() for p in (blur, scale, tame)]
        return blur + scale + tame

    def closure(self):
        self.opt.zero_grad()
        loss = self.objective()
        loss.backward()
        self.calls += 1
        return loss

    def step(self):
        return self.opt.step(self.closure)


def main(starts=6, rounds=75):
    gen = torch.Generator().manual_seed(23)
    height = torch.linspace(-0.5, 0.5, 15).expand(5, -1)
    angle = torch.linspace(0, 0.2, 5).unsqueeze(1).expand(-1, 15)
    best, prescription, designs = float("inf"), None, []
    for s in range(starts):
        design = Design(Doublet(gen), height, angle)
        trail = []
        for _ in range(rounds):
            trail.append(float(design.step()))
            if trail[-1] < best:
                best, prescription = trail[-1], copy.deepcopy(design.lens.state_dict())
        designs.append(design)
        print(f"start {s}: {trail[0]:.5f} -> {trail[-1]:.6f} ({design.calls} calls)",
              [f"{p.item():.1e}" for p in design.parts])
    print("best", f"{best:.6f}", [round(v, 3) for v in prescription["curv"].tolist()])


if __name__ == "__main__":
    main()
