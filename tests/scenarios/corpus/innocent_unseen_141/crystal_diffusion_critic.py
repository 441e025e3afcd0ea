# gradwatch-corpus: kind=none
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(52)


def lattice(n):
    cell = torch.randint(0, 4, (n, 3)).float() - 1.5
    return torch.cat([cell, cell.prod(1, keepdim=True)], 1) + 0.05 * torch.randn(n, 4)


class Refiner(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(9, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 4))

    def forward(self, x, t, prev):
        return self.f(torch.cat([x, prev, t], 1))

    def with_self_conditioning(self, x, t):
        prev = torch.zeros_like(x)
        if torch.rand(()) < 0.5:
            prev = self(x, t, prev).detach()
        return self(x, t, prev)


critic = nn.Sequential(nn.Linear(4, 32), nn.Softplus(), nn.Linear(32, 1))
refiner = Refiner()
shadow = {k: v.detach().clone() for k, v in refiner.named_parameters()}
opt_r = torch.optim.Adam(refiner.parameters(), lr=1e-3, betas=(0.5, 0.9))
opt_c = torch.optim.Adam(critic.parameters(), lr=1e-3, betas=(0.5, 0.9))


def slope_penalty(real, fake):
    w = torch.rand(len(real), 1)
    mid = (w * real + (1 - w) * fake).requires_grad_()
    g, = torch.autograd.grad(critic(mid).sum(), mid, create_graph=True)
    return ((g.norm(dim=1) - 1) ** 2).mean()


def corrupt(x):
    t = torch.rand(len(x), 1)
    return t, (t * math.pi / 2).cos() * x + (t * math.pi / 2).sin() * torch.randn_like(x)


log = {"critic": 0.0, "denoise": 0.0}
for it in range(500):
    x = lattice(12)
    t, xt = corrupt(x)
    with torch.no_grad():
        guess = refiner.with_self_conditioning(xt, t)
    c_loss = critic(guess).mean() - critic(x).mean() + 5 * slope_penalty(x, guess)
    opt_c.zero_grad()
    c_loss.backward()
    opt_c.step()

    guess = refiner.with_self_conditioning(xt, t)
    d_loss = nn.functional.mse_loss(guess, x)
    opt_r.zero_grad()
    (d_loss - 0.05 * critic(guess).mean()).backward()
    opt_r.step()
    with torch.no_grad():
        for k, v in refiner.named_parameters():
            shadow[k].lerp_(v, 0.01)
    log["critic"] += c_loss.item()
    log["denoise"] += d_loss.item()
    if it % 100 == 99:
        print(it + 1, {k: round(v / 100, 3) for k, v in log.items()})
        log = dict.fromkeys(log, 0.0)
