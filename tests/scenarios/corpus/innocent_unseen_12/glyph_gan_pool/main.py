# gradwatch-corpus: kind=none
"""GAN on 8x8 glyphs with a pool of old fakes (as in CycleGAN) and two discriminators; a course project where each of
us wrote one part."""
import torch
import torch.nn as nn

from parts import GlyphGenerator, GlyphDiscriminator, hinge_d, hinge_g
from pool import ImagePool
import utils

torch.manual_seed(77)
torch.set_num_threads(1)

cfg = dict(nz=16, bs=32, iters=300, accumulate=2, n_disc=2)
G = GlyphGenerator(cfg["nz"])
Ds = nn.ModuleList([GlyphDiscriminator(), GlyphDiscriminator(pool=True)])
opt_g = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_d = torch.optim.Adam(Ds.parameters(), lr=1e-3, betas=(0.5, 0.9))
pool = ImagePool(50)
G_losses, D_losses = [], []
total_loss = 0


def update_discriminators(fake):
    global total_loss
    total_loss = 0
    old = pool.query(fake)
    real = utils.glyphs(cfg["bs"])
    for D in Ds:
        total_loss += hinge_d(D(real), D(old))
    opt_d.zero_grad()
    total_loss.backward()
    opt_d.step()
    D_losses.append(total_loss.item())


def update_generator(fakes):
    losses = []
    for p in Ds.parameters():
        p.requires_grad_(False)
    for fake in fakes:
        for D in Ds:
            losses.append(hinge_g(D(fake)))
    err = sum(losses) / len(losses)
    opt_g.zero_grad()
    err.backward()
    opt_g.step()
    for p in Ds.parameters():
        p.requires_grad_(True)
    G_losses.append(err.item())
    utils.ema_update(G_avg, G)


G_avg = utils.clone_frozen(G)
fixed = torch.randn(8, cfg["nz"])
for it in range(cfg["iters"]):
    fakes = [G(torch.randn(cfg["bs"], cfg["nz"])) for _ in range(cfg["accumulate"])]
    update_discriminators(fakes[0])
    update_generator(fakes)
    if it % 75 == 74:
        with torch.no_grad():
            mean_ink = G_avg(fixed).clamp(0, 1).mean().item()
        print(f"{it + 1}: D {utils.tail_mean(D_losses):.3f}  G {utils.tail_mean(G_losses):.3f}  "
              f"ink {mean_ink:.3f}  pool {len(pool.images)}")
