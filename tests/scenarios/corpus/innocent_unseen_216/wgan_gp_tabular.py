# gradwatch-corpus: kind=none
# Synthetic tabular rows with WGAN-GP (n_critic = 4)
import argparse
from itertools import islice

import torch
from torch import autograd, nn

parser = argparse.ArgumentParser()
parser.add_argument("--n-critic", type=int, default=4)
parser.add_argument("--gen-steps", type=int, default=35)
parser.add_argument("--z", type=int, default=12)
parser.add_argument("--gp", type=float, default=10.0)
parser.add_argument("--batch", type=int, default=128)
opt = parser.parse_args()
torch.manual_seed(2024)


def real_rows():
    while True:
        age = 20 + 50 * torch.rand(opt.batch, 1)
        income = 15 + 0.8 * age + 6 * torch.randn(opt.batch, 1)
        owner = (torch.rand(opt.batch, 1) < torch.sigmoid((age - 45) / 8)).float()
        debt = owner * (40 + 10 * torch.randn(opt.batch, 1)) + (1 - owner) * 3
        yield torch.cat([(age - 45) / 15, (income - 50) / 14, owner * 2 - 1, debt / 30], 1)


class Residual(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.fc, self.bn = nn.Linear(i, o), nn.BatchNorm1d(o)

    def forward(self, x):
        return torch.cat([torch.relu(self.bn(self.fc(x))), x], 1)


G = nn.Sequential(Residual(opt.z, 48), Residual(opt.z + 48, 48), nn.Linear(opt.z + 96, 4))
D = nn.Sequential(nn.Linear(4, 64), nn.LeakyReLU(0.2), nn.Linear(64, 64), nn.LeakyReLU(0.2), nn.Linear(64, 1))
g_opt = torch.optim.Adam(G.parameters(), lr=1e-3, betas=(0.5, 0.9))
d_opt = torch.optim.Adam(D.parameters(), lr=1e-3, betas=(0.5, 0.9))


def gradient_penalty(real, fake):
    eps = torch.rand(len(real), 1)
    mid = (eps * real + (1 - eps) * fake).requires_grad_(True)
    score = D(mid)
    (grad,) = autograd.grad(score, mid, torch.ones_like(score), create_graph=True, retain_graph=True)
    return ((grad.norm(2, dim=1) - 1) ** 2).mean()


source = real_rows()
wdist, gps = [], []
for step in range(opt.gen_steps):
    D.requires_grad_(True)
    for real in islice(source, opt.n_critic):
        with torch.no_grad():
            fake = G(torch.randn(opt.batch, opt.z))
        d_opt.zero_grad()
        gap = D(fake).mean() - D(real).mean()
        gp = gradient_penalty(real, fake)
        (gap + opt.gp * gp).backward()
        d_opt.step()
        wdist.append(-gap.item())
        gps.append(gp.item())

    D.requires_grad_(False)
    g_opt.zero_grad()
    g_loss = -D(G(torch.randn(opt.batch, opt.z))).mean()
    g_loss.backward()
    g_opt.step()
    if step % 10 == 0:
        print("step %d W %.3f gp %.3f G %.3f" % (step, sum(wdist[-20:]) / len(wdist[-20:]), gps[-1], g_loss.item()))

G.eval()
with torch.no_grad():
    rows = G(torch.randn(1000, opt.z))
    print("corr(age, income) = %.3f" % torch.corrcoef(rows.t())[0, 1].item())
