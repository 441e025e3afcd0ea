# gradwatch-corpus: kind=second-backward
# first-bad: 14
"""InfoGAN on rotated bars: mutual-information term switched on after a short adversarial warm-up."""
from collections import defaultdict
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

opt = SimpleNamespace(
    noise=10,
    n_cat=4,
    n_cont=1,
    size=8,
    batch=32,
    warmup=15,
    iters=90,
    lam=0.5,
    lr_g=1e-3,
    lr_d=5e-4,
    seed=77,
)


class Generator(nn.Module):
    def __init__(self, latent, size):
        super().__init__()
        self.size = size
        self.net = nn.Sequential(
            nn.Linear(latent, 64),
            nn.ReLU(),
            nn.Linear(64, 64),
            nn.ReLU(),
            nn.Linear(64, size * size),
            nn.Tanh(),
        )

    def forward(self, noise, cat, cont):
        z = torch.cat([noise, cat, cont], dim=-1)
        return self.net(z).view(-1, 1, self.size, self.size)


class Critic(nn.Module):
    def __init__(self, out):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 16, 3, stride=2, padding=1),
            nn.LeakyReLU(0.2),
            nn.Conv2d(16, 32, 3, stride=2, padding=1),
            nn.LeakyReLU(0.2),
        )
        self.head = nn.Linear(32 * 4, out)

    def forward(self, x):
        return self.head(self.conv(x).flatten(1))


def real_bars(n, size):
    kind = torch.randint(0, 4, (n,))
    img = -torch.ones(n, 1, size, size)
    for i, k in enumerate(kind.tolist()):
        c = int(torch.randint(1, size - 1, ()))
        if k == 0:
            img[i, 0, c, :] = 1.0
        elif k == 1:
            img[i, 0, :, c] = 1.0
        elif k == 2:
            img[i, 0].fill_diagonal_(1.0)
        else:
            img[i, 0] = torch.eye(size).flip(0) * 2.0 - 1.0
    return img + 0.05 * torch.randn_like(img)


def draw_codes(n):
    noise = torch.randn(n, opt.noise)
    label = torch.randint(0, opt.n_cat, (n,))
    cont = torch.rand(n, opt.n_cont) * 2.0 - 1.0
    return noise, label, cont


def info_loss(q_out, label, cont):
    logits, mu = q_out.split([opt.n_cat, opt.n_cont], dim=-1)
    return F.cross_entropy(logits, label) + 0.1 * F.mse_loss(mu, cont)


torch.manual_seed(opt.seed)
G = Generator(opt.noise + opt.n_cat + opt.n_cont, opt.size)
D = Critic(1)
Q = Critic(opt.n_cat + opt.n_cont)
opt_g = torch.optim.Adam(G.parameters(), lr=opt.lr_g, betas=(0.5, 0.999))
opt_d = torch.optim.Adam(D.parameters(), lr=opt.lr_d, betas=(0.5, 0.999))
opt_q = torch.optim.Adam(Q.parameters(), lr=opt.lr_g, betas=(0.5, 0.999))
log = defaultdict(list)

for it in range(opt.iters):
    real = real_bars(opt.batch, opt.size)
    noise, label, cont = draw_codes(opt.batch)
    fake = G(noise, F.one_hot(label, opt.n_cat).float(), cont)

    d_loss = F.softplus(-D(real)).mean() + F.softplus(D(fake.detach())).mean()
    opt_d.zero_grad()
    d_loss.backward()
    opt_d.step()

    opt_g.zero_grad()
    opt_q.zero_grad()
    g_loss = F.softplus(-D(fake)).mean()
    g_loss.backward()  # <- culprit
    if it >= opt.warmup:
        mi = opt.lam * info_loss(Q(fake), label, cont)  # <- culprit
        mi.backward()  # <- culprit
        opt_q.step()
        log["mi"].append(mi.item())
    opt_g.step()

    log["d"].append(d_loss.item())
    log["g"].append(g_loss.item())
    if (it + 1) % 30 == 0:
        print(it + 1, {k: round(sum(v[-30:]) / len(v[-30:]), 3) for k, v in log.items()})
