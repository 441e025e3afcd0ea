# gradwatch-corpus: kind=second-backward
# holder: self.anchor_z | bank.anchor_z
# first-bad: 46
# notice: 0
"""Cross-sensor alignment: two encoders, shared latent space, a small bank of paired anchors.

Phase 1 trains both encoders by reconstruction. Phase 2 adds an alignment term against the anchors,
whose codes are refreshed every few steps to save compute.
"""
import argparse

import torch
from torch import nn
from torch.nn import functional as F


def mlp(*dims):
    layers = []
    for a, b in zip(dims, dims[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


class Sensor(nn.Module):
    def __init__(self, n_obs, n_latent):
        super().__init__()
        self.enc = mlp(n_obs, 24, n_latent)
        self.dec = mlp(n_latent, 24, n_obs)

    def forward(self, x):
        z = self.enc(x)
        return z, self.dec(z)


class AnchorBank:
    def __init__(self, encoder, anchors, refresh):
        self.encoder = encoder
        self.anchors = anchors
        self.refresh = refresh
        self.anchor_z = None
        self._age = 0

    def codes(self):
        if self.anchor_z is None or self._age >= self.refresh:
            self.anchor_z = self.encoder(self.anchors)  # <- culprit
            self._age = 0
        self._age += 1
        return self.anchor_z  # <- culprit


def world(n, gen, mix_a, mix_b):
    s = torch.randn(n, mix_a.size(0), generator=gen)
    return torch.tanh(s @ mix_a), torch.tanh(s @ mix_b)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=240)
    p.add_argument("--warmup", type=int, default=45)
    p.add_argument("--refresh", type=int, default=8)
    p.add_argument("--weight", type=float, default=0.5)
    args = p.parse_args()

    torch.set_num_threads(1)
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(13)
    mix_a, mix_b = torch.randn(4, 10, generator=gen), torch.randn(4, 14, generator=gen)
    a, b = Sensor(10, 4), Sensor(14, 4)
    anchors_a, anchors_b = world(20, gen, mix_a, mix_b)
    bank = AnchorBank(a.enc, anchors_a, args.refresh)
    opt = torch.optim.Adam([*a.parameters(), *b.parameters()], lr=3e-3)

    for step in range(args.steps):
        xa, xb = world(32, gen, mix_a, mix_b)
        za, ra = a(xa)
        zb, rb = b(xb)
        loss = F.mse_loss(ra, xa) + F.mse_loss(rb, xb)
        if step >= args.warmup:
            align = F.mse_loss(b.enc(anchors_b), bank.codes())
            loss = loss + args.weight * align
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if step % 15 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} |za| {za.norm(dim=1).mean().item():.2f}")


if __name__ == "__main__":
    main()
