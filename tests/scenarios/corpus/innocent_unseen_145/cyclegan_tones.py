# gradwatch-corpus: kind=none
import random

import torch

torch.set_num_threads(1)
from torch import nn

random.seed(0)
torch.manual_seed(0)


class ImagePool:
    def __init__(self, pool_size):
        self.pool_size = pool_size
        self.images = []

    def query(self, image):
        if len(self.images) < self.pool_size:
            self.images.append(image)
            return image
        if random.random() > 0.5:
            k = random.randrange(self.pool_size)
            old, self.images[k] = self.images[k], image
            return old
        return image


def resnet_gen(c=6):
    class Res(nn.Module):
        def __init__(self):
            super().__init__()
            self.body = nn.Sequential(nn.Conv1d(c, c, 3, padding=1), nn.ReLU(), nn.Conv1d(c, c, 3, padding=1))

        def forward(self, x):
            return x + self.body(x)

    return nn.Sequential(nn.Conv1d(1, c, 5, padding=2), nn.ReLU(), Res(), nn.Conv1d(c, 1, 5, padding=2))


def critic(c=6):
    return nn.Sequential(nn.Conv1d(1, c, 4, 2, 1), nn.LeakyReLU(0.2), nn.Conv1d(c, 1, 4, 2, 1))


def real_A():
    t = torch.linspace(0, 1, 16)
    return torch.sin(6.28 * (torch.rand(3, 1, 1) + 2 * t))


def real_B():
    t = torch.linspace(0, 1, 16)
    return torch.sign(torch.sin(6.28 * (torch.rand(3, 1, 1) + 2 * t))) * 0.8


G, Fn, DA, DB = resnet_gen(), resnet_gen(), critic(), critic()
pool_A, pool_B = ImagePool(8), ImagePool(8)
opt_G = torch.optim.Adam([*G.parameters(), *Fn.parameters()], 1e-3, betas=(0.5, 0.999))
opt_D = torch.optim.Adam([*DA.parameters(), *DB.parameters()], 1e-3, betas=(0.5, 0.999))
mse, l1 = nn.MSELoss(), nn.L1Loss()


def d_loss(D, real, fake):
    pr, pf = D(real), D(fake.detach())
    return 0.5 * (mse(pr, torch.ones_like(pr)) + mse(pf, torch.zeros_like(pf)))


for it in range(420):
    a, b = real_A(), real_B()
    fake_b, fake_a = G(a), Fn(b)
    cyc = l1(Fn(fake_b), a) + l1(G(fake_a), b)
    pb, pa = DB(fake_b), DA(fake_a)
    loss_G = mse(pb, torch.ones_like(pb)) + mse(pa, torch.ones_like(pa)) + 10 * cyc
    opt_G.zero_grad()
    loss_G.backward()
    opt_G.step()

    opt_D.zero_grad()
    loss_D = d_loss(DA, a, pool_A.query(fake_a)) + d_loss(DB, b, pool_B.query(fake_b))
    loss_D.backward()
    opt_D.step()
    if it % 100 == 0:
        print(f"[{it}] G {loss_G.item():.3f} D {loss_D.item():.3f} cyc {cyc.item():.3f}")
