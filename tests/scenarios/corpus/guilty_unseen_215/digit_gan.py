# gradwatch-corpus: kind=graph-held
# holder: ema["d"] | ema["g"] | ema
# first-bad: 1
import argparse

import torch
from torch import nn

parser = argparse.ArgumentParser()
parser.add_argument("--z-dim", type=int, default=16)
parser.add_argument("--steps", type=int, default=120)
parser.add_argument("--batch", type=int, default=64)
parser.add_argument("--lr", type=float, default=2e-4)
parser.add_argument("--beta1", type=float, default=0.5)
parser.add_argument("--ema-decay", type=float, default=0.95)
parser.add_argument("--log-every", type=int, default=30)
opt = parser.parse_args()

torch.manual_seed(99)


def weights_init(m):
    if isinstance(m, (nn.ConvTranspose2d, nn.Conv2d)):
        nn.init.normal_(m.weight, 0.0, 0.02)


G = nn.Sequential(
    nn.ConvTranspose2d(opt.z_dim, 32, 4, 1, 0, bias=False), nn.BatchNorm2d(32), nn.ReLU(True),
    nn.ConvTranspose2d(32, 16, 4, 2, 1, bias=False), nn.BatchNorm2d(16), nn.ReLU(True),
    nn.ConvTranspose2d(16, 1, 4, 2, 1), nn.Tanh(),
).apply(weights_init)

D = nn.Sequential(
    nn.Conv2d(1, 16, 4, 2, 1), nn.LeakyReLU(0.2, True),
    nn.Conv2d(16, 32, 4, 2, 1, bias=False), nn.BatchNorm2d(32), nn.LeakyReLU(0.2, True),
    nn.Conv2d(32, 1, 4, 1, 0), nn.Flatten(0),
).apply(weights_init)

bce = nn.BCEWithLogitsLoss()
opt_g = torch.optim.Adam(G.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=opt.lr, betas=(opt.beta1, 0.999))


def real_batch(n):
    """Bars of random place and width, values in [-1, 1]."""
    x = -torch.ones(n, 1, 16, 16)
    for k in range(n):
        a, w = int(torch.randint(2, 11, ())), int(torch.randint(2, 4, ()))
        if k % 2:
            x[k, 0, a:a + w] = 1.0
        else:
            x[k, 0, :, a:a + w] = 1.0
    return x + 0.02 * torch.randn_like(x)


ema = {"d": None, "g": None}


def smooth(key, value):
    old = ema[key]
    ema[key] = value if old is None else opt.ema_decay * old + (1 - opt.ema_decay) * value  # <- culprit


ones, zeros = torch.ones(opt.batch), torch.zeros(opt.batch)
for step in range(1, opt.steps + 1):
    real = real_batch(opt.batch)
    z = torch.randn(opt.batch, opt.z_dim, 1, 1)

    opt_d.zero_grad()
    fake = G(z)
    d_loss = bce(D(real), ones * 0.9) + bce(D(fake.detach()), zeros)
    d_loss.backward()
    opt_d.step()

    opt_g.zero_grad()
    g_loss = bce(D(fake), ones)
    g_loss.backward()
    opt_g.step()

    smooth("d", d_loss)  # <- culprit
    smooth("g", g_loss)  # <- culprit
    if step % opt.log_every == 0:
        print(f"{step}/{opt.steps} D {ema['d'].item():.4f} G {ema['g'].item():.4f}")
