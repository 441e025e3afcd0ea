# gradwatch-corpus: kind=graph-held
# holder: self.images | pool_b.images | pool_a.images
# first-bad: 2
# notice: 8
import itertools
import random

import torch
torch.set_num_threads(1)
import torch.nn as nn


class ImagePool:
    def __init__(self, size):
        self.size = size
        self.images = []

    def query(self, fakes):
        out = []
        for f in fakes.unbind(0):
            self.images.append(f)  # <- culprit
            if len(self.images) > self.size and random.random() < 0.5:
                out.append(random.choice(self.images))
            else:
                out.append(f)
        return torch.stack(out)


def generator(c=6):
    return nn.Sequential(nn.Conv2d(1, c, 3, padding=1), nn.InstanceNorm2d(c), nn.ReLU(),
                         nn.Conv2d(c, 1, 3, padding=1), nn.Tanh())


def discriminator(c=6):
    return nn.Sequential(nn.Conv2d(1, c, 4, stride=2, padding=1), nn.LeakyReLU(0.2), nn.Conv2d(c, 1, 4))


def lsgan(pred, real):
    return nn.functional.mse_loss(pred, torch.full_like(pred, float(real)))


random.seed(2)
torch.manual_seed(2)
G_ab, G_ba, D_a, D_b = generator(), generator(), discriminator(), discriminator()
opt_g = torch.optim.Adam(itertools.chain(G_ab.parameters(), G_ba.parameters()), 2e-4, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(itertools.chain(D_a.parameters(), D_b.parameters()), 2e-4, betas=(0.5, 0.999))
pool_a, pool_b = ImagePool(16), ImagePool(16)

for it in range(220):
    a = torch.rand(2, 1, 10, 10) * 2 - 1
    b = torch.sign(torch.randn(2, 1, 1, 10)).expand(2, 1, 10, 10) * 0.9

    fake_b, fake_a = G_ab(a), G_ba(b)
    loss_g = lsgan(D_b(fake_b), True) + lsgan(D_a(fake_a), True)
    cyc = (G_ba(fake_b) - a).abs().mean() + (G_ab(fake_a) - b).abs().mean()
    opt_g.zero_grad()
    (loss_g + 10 * cyc).backward()
    opt_g.step()

    old_a, old_b = pool_a.query(fake_a).detach(), pool_b.query(fake_b).detach()
    loss_d = 0.5 * (lsgan(D_a(a), True) + lsgan(D_a(old_a), False) + lsgan(D_b(b), True) + lsgan(D_b(old_b), False))
    opt_d.zero_grad()
    loss_d.backward()
    opt_d.step()
    if it % 40 == 0:
        print(it, loss_g.item(), cyc.item(), loss_d.item())
