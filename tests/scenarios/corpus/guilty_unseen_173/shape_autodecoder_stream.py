# gradwatch-corpus: kind=memory-climb
# holder: self.opt.param_groups | fitter.opt.param_groups | self.opt.state | fitter.opt.state
# first-bad: 1
"""Auto-decoder of 2-D star shapes arriving as a stream: a latent code is fitted for every new batch of shapes."""
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

LATENT = 96


class StarShapes:
    """Signed radial distance samples of random star-shaped outlines."""

    def __init__(self, seed, harmonics=4):
        self.gen = torch.Generator().manual_seed(seed)
        self.harmonics = harmonics

    def batch(self, shapes, points):
        k = torch.arange(1, self.harmonics + 1).float()
        amp = 0.25 * torch.randn(shapes, self.harmonics, generator=self.gen) / k
        phase = 2 * math.pi * torch.rand(shapes, self.harmonics, generator=self.gen)
        theta = 2 * math.pi * torch.rand(shapes, points, generator=self.gen)
        r = 1.5 * torch.rand(shapes, points, generator=self.gen)
        wave = torch.cos(theta.unsqueeze(-1) * k + phase.unsqueeze(1))
        outline = 0.8 + (amp.unsqueeze(1) * wave).sum(-1)
        xy = torch.stack([r * theta.cos(), r * theta.sin()], dim=-1)
        return xy, (r - outline).clamp(-0.3, 0.3)


class Decoder(nn.Module):
    def __init__(self, width=64):
        super().__init__()
        self.film = nn.Linear(LATENT, 2 * width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, code, xy):
        gain, shift = self.film(code).unsqueeze(1).chunk(2, dim=-1)
        h = torch.sin(3 * self.inp(xy)) * (1 + gain) + shift
        return self.out(F.silu(self.mid(h))).squeeze(-1)


class StreamFitter:
    def __init__(self, decoder, lr_net=1e-3, lr_code=2e-2, code_reg=1e-4):
        self.decoder = decoder
        self.opt = torch.optim.Adam(decoder.parameters(), lr=lr_net)
        self.lr_code, self.code_reg = lr_code, code_reg

    def new_codes(self, n):
        codes = nn.Parameter(0.01 * torch.randn(n, LATENT))
        self.opt.add_param_group({"params": [codes], "lr": self.lr_code})  # <- culprit
        return codes

    def fit(self, xy, sdf, inner=1):
        codes = self.new_codes(len(xy))
        value = 0.0
        for _ in range(inner):
            pred = self.decoder(codes, xy)
            loss = F.l1_loss(pred, sdf) + self.code_reg * codes.pow(2).sum(1).mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            value = loss.item()
        return value, codes.detach().norm(dim=1).mean().item()


@torch.no_grad()
def occupancy_agreement(decoder, source):
    xy, sdf = source.batch(16, 64)
    pred = decoder(torch.zeros(16, LATENT), xy)
    return ((pred < 0) == (sdf < 0)).float().mean().item()


def main(batches=500):
    torch.manual_seed(30)
    source = StarShapes(seed=31)
    fitter = StreamFitter(Decoder())
    start, smooth = time.time(), None
    for i in range(batches):
        xy, sdf = source.batch(shapes=48, points=24)
        value, norm = fitter.fit(xy, sdf)
        smooth = value if smooth is None else 0.97 * smooth + 0.03 * value
        if i % 50 == 0:
            agree = occupancy_agreement(fitter.decoder, source)
            print(f"batch {i:4d} l1 {smooth:.4f} code norm {norm:.3f} sign agreement {agree:.3f} {time.time() - start:.1f}s")


if __name__ == "__main__":
    main()
