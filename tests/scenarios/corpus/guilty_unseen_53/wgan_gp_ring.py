# gradwatch-corpus: kind=graph-held
# holder: self.total | meter.total | meters["w_dist"].total | m.total
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.optim as optim

torch.manual_seed(0)

LATENT = 8
BATCH = 64
N_CRITIC = 4
LAMBDA_GP = 10.0
EPOCHS = 3
GEN_ITERS = 10


class AverageMeter(object):
    """Computes and stores the average value"""

    def __init__(self, name):
        self.name = name
        self.reset()

    def reset(self):
        self.total = 0.0
        self.count = 0

    def update(self, val, n=1):
        self.total += val * n  # <- culprit
        self.count += n

    @property
    def avg(self):
        return self.total / max(self.count, 1)

    def __str__(self):
        return f"{self.name} {self.avg:.4f}"


class Generator(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(LATENT, 64), nn.ReLU(True),
            nn.Linear(64, 64), nn.ReLU(True),
            nn.Linear(64, 2),
        )

    def forward(self, z):
        return self.main(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.main = nn.Sequential(
            nn.Linear(2, 64), nn.LeakyReLU(0.2),
            nn.Linear(64, 64), nn.LeakyReLU(0.2),
            nn.Linear(64, 1),
        )

    def forward(self, x):
        return self.main(x).view(-1)


def real_batch(n):
    k = torch.randint(0, 8, (n,)).float() * (2 * math.pi / 8)
    return torch.stack([k.cos(), k.sin()], 1) * 2 + 0.05 * torch.randn(n, 2)


def gradient_penalty(critic, real, fake):
    eps = torch.rand(real.size(0), 1)
    inter = (eps * real + (1 - eps) * fake).requires_grad_(True)
    out = critic(inter)
    grads = torch.autograd.grad(out, inter, torch.ones_like(out), create_graph=True)[0]
    return ((grads.norm(2, dim=1) - 1) ** 2).mean()


netG, netD = Generator(), Critic()
optG = optim.Adam(netG.parameters(), lr=1e-3, betas=(0.0, 0.9))
optD = optim.Adam(netD.parameters(), lr=1e-3, betas=(0.0, 0.9))
meters = {"w_dist": AverageMeter("W"), "g_loss": AverageMeter("G"), "gp": AverageMeter("GP")}

for epoch in range(EPOCHS):
    for m in meters.values():
        m.reset()
    for it in range(GEN_ITERS):
        for _ in range(N_CRITIC):
            real = real_batch(BATCH)
            with torch.no_grad():
                fake = netG(torch.randn(BATCH, LATENT))
            w_dist = netD(real).mean() - netD(fake).mean()
            gp = gradient_penalty(netD, real, fake)
            optD.zero_grad()
            (LAMBDA_GP * gp - w_dist).backward()
            optD.step()
            meters["w_dist"].update(w_dist, BATCH)  # <- culprit
            meters["gp"].update(gp.item(), BATCH)

        optG.zero_grad()
        g_loss = -netD(netG(torch.randn(BATCH, LATENT))).mean()
        g_loss.backward()
        optG.step()
        meters["g_loss"].update(g_loss.item(), BATCH)
    print("[%d/%d] " % (epoch + 1, EPOCHS) + "  ".join(str(m) for m in meters.values()))
