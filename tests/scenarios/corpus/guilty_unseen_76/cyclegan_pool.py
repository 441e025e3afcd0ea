# gradwatch-corpus: kind=second-backward
# holder: self.images | self.pool.images | model.pool.images | self.images[j] | old | chosen
# first-bad: 2
# notice: 1
import random
from dataclasses import dataclass

import torch
import torch.nn as nn

torch.set_num_threads(1)


@dataclass
class Opt:
    niter: int = 60
    batch: int = 4
    pool_size: int = 8
    lr: float = 2e-4
    lambda_l1: float = 10.0
    size: int = 12
    seed: int = 7


class ImagePool:
    """History of generated images shown to the discriminator (Shrivastava et al.)."""

    def __init__(self, pool_size):
        self.pool_size = pool_size
        self.images = []

    def query(self, images):
        chosen = []
        for img in images.split(1):
            if len(self.images) < self.pool_size:
                self.images.append(img)  # <- culprit
                chosen.append(img.detach())
            elif random.random() > 0.5:
                j = random.randrange(self.pool_size)
                old = self.images[j]
                self.images[j] = img  # <- culprit
                chosen.append(old)  # <- culprit
            else:
                chosen.append(img.detach())
        return torch.cat(chosen)


def conv(i, o, norm=True):
    mods = [nn.Conv2d(i, o, 3, padding=1)]
    if norm:
        mods.append(nn.InstanceNorm2d(o, affine=True))
    return nn.Sequential(*mods, nn.LeakyReLU(0.2))


class Generator(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.body = nn.Sequential(conv(1, w), conv(w, w), nn.Conv2d(w, 1, 3, padding=1), nn.Tanh())

    def forward(self, x):
        return self.body(x)


class PatchD(nn.Module):
    def __init__(self, w=8):
        super().__init__()
        self.body = nn.Sequential(conv(1, w, norm=False), conv(w, w), nn.Conv2d(w, 1, 3, padding=1))

    def forward(self, x):
        return self.body(x)


def gan_loss(pred, real):
    """LSGAN."""
    goal = torch.ones_like(pred) if real else torch.zeros_like(pred)
    return nn.functional.mse_loss(pred, goal)


def pairs(opt):
    """Domain A: blobs; domain B: the same blobs, inverted and shifted."""
    grid = torch.arange(opt.size).float()
    while True:
        c = torch.rand(opt.batch, 2) * opt.size
        d2 = (grid[None, :, None] - c[:, 0, None, None]) ** 2 + (grid[None, None, :] - c[:, 1, None, None]) ** 2
        a = torch.exp(-d2 / 6.0)[:, None] * 2 - 1
        yield a, -a.roll(1, dims=3)


class Pix:
    def __init__(self, opt):
        self.opt = opt
        self.G, self.D = Generator(), PatchD()
        self.pool = ImagePool(opt.pool_size)
        self.opt_G = torch.optim.Adam(self.G.parameters(), lr=opt.lr, betas=(0.5, 0.999))
        self.opt_D = torch.optim.Adam(self.D.parameters(), lr=opt.lr, betas=(0.5, 0.999))

    def train_G(self, real_A, real_B):
        for p in self.D.parameters():
            p.requires_grad_(False)
        fake_B = self.G(real_A)
        loss = gan_loss(self.D(fake_B), True) + self.opt.lambda_l1 * (fake_B - real_B).abs().mean()
        self.opt_G.zero_grad()
        loss.backward()
        self.opt_G.step()
        return fake_B, loss.item()

    def train_D(self, real_B, fake_B):
        for p in self.D.parameters():
            p.requires_grad_(True)
        shown = self.pool.query(fake_B)
        loss = 0.5 * (gan_loss(self.D(real_B), True) + gan_loss(self.D(shown), False))
        self.opt_D.zero_grad()
        loss.backward()
        self.opt_D.step()
        return loss.item()


def main():
    opt = Opt()
    torch.manual_seed(opt.seed)
    random.seed(opt.seed)
    model = Pix(opt)
    for it, (a, b) in zip(range(opt.niter), pairs(opt)):
        fake, lg = model.train_G(a, b)
        ld = model.train_D(b, fake)
        if it % 10 == 0:
            print(f"iter {it}: G {lg:.3f} D {ld:.3f}")


if __name__ == "__main__":
    main()
