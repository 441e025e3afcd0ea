# gradwatch-corpus: kind=graph-held
# holder: self.latents | vae.latents | self.model.latents | model.latents
# first-bad: 1
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from vae import VAE, elbo
from mixins import LatentBook


class BookedVAE(LatentBook, VAE):
    pass


def ring(n):
    a = torch.rand(n, 1) * 6.2832
    base = torch.cat([a.cos(), a.sin()], 1)
    return base @ W + 0.05 * torch.randn(n, 16)


torch.manual_seed(6)
W = torch.randn(2, 16)
vae = BookedVAE(16, 2)
opt = torch.optim.Adamax(vae.parameters(), lr=4e-3)
for k in range(165):
    xb = ring(32)
    out = vae(xb)
    rec, kl = elbo(out, xb)
    loss = rec + min(1.0, k / 100) * kl
    opt.zero_grad()
    loss.backward()
    opt.step()
    if k % 33 == 32:
        c, s = vae.summary()
        print(k + 1, "rec %.3f kl %.3f" % (rec.item(), kl.item()), "centre", c, "spread", s)
