# gradwatch-corpus: kind=graph-held
# holder: self.gallery | trainer.gallery
# first-bad: 8
# notice: 8
import math
import torch
from torch import nn, optim

torch.set_num_threads(1)
torch.manual_seed(42)


def real_points(n):
    ang = torch.rand(n) * 2 * math.pi
    return torch.stack([ang.cos(), ang.sin()], 1) + 0.05 * torch.randn(n, 2)


def mlp(i, o):
    return nn.Sequential(nn.Linear(i, 24), nn.LeakyReLU(0.2), nn.Linear(24, 24), nn.LeakyReLU(0.2), nn.Linear(24, o))


class GANTrainer:
    def __init__(self, z_dim=5, bs=32):
        self.z_dim, self.bs = z_dim, bs
        self.netG, self.netD = mlp(z_dim, 2), mlp(2, 1)
        self.optG = optim.Adam(self.netG.parameters(), 1e-3, betas=(0.5, 0.999))
        self.optD = optim.Adam(self.netD.parameters(), 1e-3, betas=(0.5, 0.999))
        self.crit = nn.BCEWithLogitsLoss()
        self.fixed_noise = torch.randn(16, z_dim)
        self.gallery = []

    def d_step(self):
        self.optD.zero_grad()
        fake = self.netG(torch.randn(self.bs, self.z_dim)).detach()
        out_r, out_f = self.netD(real_points(self.bs)), self.netD(fake)
        err = self.crit(out_r, torch.ones_like(out_r)) + self.crit(out_f, torch.zeros_like(out_f))
        err.backward()
        self.optD.step()
        return err.item()

    def g_step(self):
        self.optG.zero_grad()
        out = self.netD(self.netG(torch.randn(self.bs, self.z_dim)))
        err = self.crit(out, torch.ones_like(out))
        err.backward()
        self.optG.step()
        return err.item()

    def snapshot(self, it):
        self.netG.eval()
        pts = self.netG(self.fixed_noise)  # <- culprit
        self.gallery.append((it, pts))  # <- culprit
        self.netG.train()

    def fit(self, iters):
        for it in range(1, iters + 1):
            d, g = self.d_step(), self.g_step()
            if it % 4 == 0:
                self.snapshot(it)
            if it % 100 == 0:
                r = self.gallery[-1][1].norm(dim=1).mean().item()
                print(f"{it}: D {d:.3f} G {g:.3f} radius {r:.3f}")


trainer = GANTrainer()
trainer.fit(400)
