# gradwatch-corpus: kind=graph-held
# holder: self.acts | self.acts[name] | taps.acts | taps.acts["block2"] | store
# first-bad: 1
# also: graph-unused
# GAN with feature matching (Salimans et al. 2016), 2D ring of gaussians.
# Based on my answer from the forum, cleaned up a bit.
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
torch.set_num_threads(1)

Z, H, B = 8, 48, 64


def ring(n):
    k = torch.randint(0, 8, (n,)).float() * math.pi / 4
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


class Discriminator(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = nn.Sequential(nn.Linear(2, H), nn.LeakyReLU(0.2))
        self.block2 = nn.Sequential(nn.Linear(H, H), nn.LeakyReLU(0.2))
        self.out = nn.Linear(H, 1)

    def forward(self, x):
        return self.out(self.block2(self.block1(x))).squeeze(1)


class Taps:
    """Records intermediate activations of chosen submodules."""

    def __init__(self, net, names):
        self.acts = {n: [] for n in names}
        self.handles = []
        for n in names:
            mod = dict(net.named_modules())[n]
            self.handles.append(mod.register_forward_hook(self._hook(n)))

    def _hook(self, name):
        store = self.acts[name]

        def fn(module, inp, out):
            store.append(out)  # <- culprit
        return fn

    def last(self, name, back=1):
        return self.acts[name][-back]

    def close(self):
        for h in self.handles:
            h.remove()


G = nn.Sequential(nn.Linear(Z, H), nn.ReLU(), nn.Linear(H, H), nn.ReLU(), nn.Linear(H, 2))
D = Discriminator()
taps = Taps(D, ["block2"])
optG = torch.optim.Adam(G.parameters(), 1e-3, betas=(0.5, 0.999))
optD = torch.optim.Adam(D.parameters(), 1e-3, betas=(0.5, 0.999))


def d_step():
    real, fake = ring(B), G(torch.randn(B, Z)).detach()
    r, f = D(real), D(fake)
    loss = F.softplus(-r).mean() + F.softplus(f).mean()
    optD.zero_grad()
    loss.backward()
    optD.step()
    return loss.item()


def g_step():
    D(ring(B))
    D(G(torch.randn(B, Z)))
    f_real, f_fake = taps.last("block2", 2).detach(), taps.last("block2", 1)
    loss = (f_real.mean(0) - f_fake.mean(0)).pow(2).sum()
    optG.zero_grad()
    loss.backward()
    optG.step()
    return loss.item()


for step in range(120):
    ld = d_step()
    lg = g_step()
    if step % 30 == 0:
        print(f"step {step} D {ld:.3f} FM {lg:.4f}")

taps.close()
with torch.no_grad():
    rad = G(torch.randn(500, Z)).norm(dim=1)
print("mean radius", rad.mean().item())
