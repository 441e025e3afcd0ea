# gradwatch-corpus: kind=none
"""Progressively grown autoencoder for spectra: a new pair of layers every PHASE steps."""
from __future__ import annotations

import torch
from torch import Tensor, nn

torch.set_num_threads(1)

PHASE = 45
MAX_DEPTH = 8
STEPS = 480


class Block(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.lin = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.full((), 0.1))

    def forward(self, x: Tensor) -> Tensor:
        return x + self.scale * torch.relu(self.lin(self.norm(x)))


class GrowingAE(nn.Module):
    def __init__(self, bands: int, width: int, code: int) -> None:
        super().__init__()
        self.width = width
        self.stem = nn.Linear(bands, width)
        self.enc = nn.ModuleList()
        self.squeeze = nn.Linear(width, code)
        self.expand = nn.Linear(code, width)
        self.dec = nn.ModuleList()
        self.out = nn.Linear(width, bands)
        self.trace: dict[str, Tensor] = {}

    def grow(self) -> list[nn.Parameter]:
        pair = Block(self.width), Block(self.width)
        self.enc.append(pair[0])
        self.dec.append(pair[1])
        return [p for b in pair for p in b.parameters()]

    def forward(self, x: Tensor) -> Tensor:
        h = self.stem(x)
        for i, b in enumerate(self.enc):
            h = b(h)
            self.trace[f"enc{i}"] = h
        z = self.squeeze(h)
        self.trace["code"] = z
        h = self.expand(z)
        for i, b in enumerate(self.dec):
            h = b(h)
            self.trace[f"dec{i}"] = h
        return self.out(h)


def spectra(n: int, bands: int) -> Tensor:
    grid = torch.linspace(0, 1, bands)
    centre = torch.rand(n, 3, 1)
    width = 0.03 + 0.1 * torch.rand(n, 3, 1)
    height = torch.rand(n, 3, 1)
    return (height * torch.exp(-((grid - centre) / width) ** 2)).sum(1)


def main() -> None:
    torch.manual_seed(31)
    net = GrowingAE(bands=32, width=24, code=6)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(STEPS):
        if step % PHASE == 0 and len(net.enc) < MAX_DEPTH:
            opt.add_param_group({"params": net.grow()})
        x = spectra(12, 32)
        rec = net(x)
        # keep consecutive layers from drifting apart
        names = [k for k in net.trace if k.startswith("enc")]
        smooth = sum(((net.trace[a] - net.trace[b]) ** 2).mean() for a, b in zip(names, names[1:]))
        loss = nn.functional.mse_loss(rec, x) + 1e-3 * smooth
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 80 == 79:
            print(f"step {step + 1} depth {len(net.enc)} mse {loss.item():.5f} "
                  f"code std {net.trace['code'].std().item():.3f}")


main()
