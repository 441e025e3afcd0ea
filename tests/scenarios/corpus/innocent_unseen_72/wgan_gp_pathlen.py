# gradwatch-corpus: kind=none
import copy
import math
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)
torch.set_num_threads(1)

CFG = {
    "z": 8, "w": 16, "seq": 32, "bs": 24, "iters": 160, "n_critic": 2,
    "gp": 10.0, "pl_weight": 0.5, "pl_every": 4, "pl_decay": 0.05, "pool": 64,
}


def real_waves(n):
    t = torch.linspace(0, 1, CFG["seq"])
    f = 1 + 2 * torch.rand(n, 1)
    ph = 2 * math.pi * torch.rand(n, 1)
    return torch.sin(2 * math.pi * f * t + ph) * (0.5 + 0.5 * torch.rand(n, 1))


class Mapping(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(CFG["z"], CFG["w"]), nn.LeakyReLU(0.2), nn.Linear(CFG["w"], CFG["w"]))
        self.register_buffer("w_avg", torch.zeros(CFG["w"]))

    def forward(self, z):
        w = self.net(F.normalize(z, dim=1))
        if self.training:
            self.w_avg.copy_(torch.lerp(w.detach().mean(0), self.w_avg, 0.99))
        return w


class Synthesis(nn.Module):
    def __init__(self, h=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(CFG["w"], h), nn.LeakyReLU(0.2), nn.Linear(h, h), nn.LeakyReLU(0.2),
                                 nn.Linear(h, CFG["seq"]))

    def forward(self, w):
        return self.net(w).tanh()


class Critic(nn.Module):
    def __init__(self, c=12):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(1, c, 5, 2, 2), nn.LeakyReLU(0.2), nn.Conv1d(c, c, 5, 2, 2), nn.LeakyReLU(0.2))
        self.fc = nn.Linear(c * CFG["seq"] // 4, 1)

    def forward(self, x):
        return self.fc(self.conv(x.unsqueeze(1)).flatten(1)).squeeze(1)


class FakePool:
    """Shrivastava et al.: the critic also sees older fakes."""

    def __init__(self, size):
        self.buf = deque(maxlen=size)

    def mix(self, fake):
        half = len(fake) // 2
        if len(self.buf) >= half:
            idx = torch.randperm(len(self.buf))[:half].tolist()
            old = torch.stack([self.buf[i] for i in idx])
        else:
            old = fake[half:]
        self.buf.extend(fake[:half])
        return torch.cat([fake[: len(fake) - len(old)], old])


class WGAN:
    def __init__(self):
        self.mapping, self.synth, self.critic = Mapping(), Synthesis(), Critic()
        self.g_params = list(self.mapping.parameters()) + list(self.synth.parameters())
        self.opt_g = torch.optim.Adam(self.g_params, lr=5e-4, betas=(0.0, 0.9))
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=5e-4, betas=(0.0, 0.9))
        self.synth_ema = copy.deepcopy(self.synth).requires_grad_(False)
        self.pl_mean = torch.zeros(())
        self.pool = FakePool(CFG["pool"])
        self.logs = {"wd": [], "gp": [], "pl": [], "g": []}

    def generate(self, n):
        w = self.mapping(torch.randn(n, CFG["z"]))
        return self.synth(w), w

    def gradient_penalty(self, real, fake):
        eps = torch.rand(len(real), 1)
        x = (eps * real + (1 - eps) * fake).requires_grad_()
        g, = torch.autograd.grad(self.critic(x).sum(), x, create_graph=True)
        return (g.norm(dim=1) - 1).pow(2).mean()

    def path_length(self, fake, w):
        noise = torch.randn_like(fake) / math.sqrt(fake.size(1))
        g, = torch.autograd.grad((fake * noise).sum(), w, create_graph=True)
        lengths = g.pow(2).sum(1).sqrt()
        mean = torch.lerp(self.pl_mean, lengths.mean(), CFG["pl_decay"])
        self.pl_mean = mean.detach()
        return (lengths - mean).pow(2).mean()

    def critic_step(self):
        real = real_waves(CFG["bs"])
        with torch.no_grad():
            fake, _ = self.generate(CFG["bs"])
        fake = self.pool.mix(fake)
        wd = self.critic(real).mean() - self.critic(fake).mean()
        gp = self.gradient_penalty(real, fake)
        self.opt_c.zero_grad()
        (-wd + CFG["gp"] * gp).backward()
        self.opt_c.step()
        self.logs["wd"].append(wd.item())
        self.logs["gp"].append(gp.item())

    def generator_step(self, it):
        fake, w = self.generate(CFG["bs"])
        self.opt_g.zero_grad()
        loss = -self.critic(fake).mean()
        regularize = it % CFG["pl_every"] == 0
        loss.backward(retain_graph=regularize)
        if regularize:
            pl = self.path_length(fake, w)
            (pl * CFG["pl_weight"] * CFG["pl_every"]).backward()
            self.logs["pl"].append(pl.item())
        self.opt_g.step()
        self.logs["g"].append(loss.item())
        with torch.no_grad():
            for e, p in zip(self.synth_ema.parameters(), self.synth.parameters()):
                e.lerp_(p, 0.02)

    def fit(self):
        for it in range(CFG["iters"]):
            for p in self.critic.parameters():
                p.requires_grad_(True)
            for _ in range(CFG["n_critic"]):
                self.critic_step()
            for p in self.critic.parameters():
                p.requires_grad_(False)
            self.generator_step(it)
            if it % 20 == 0:
                print(it, {k: round(v[-1], 4) for k, v in self.logs.items() if v}, "pl_mean", round(self.pl_mean.item(), 4))


if __name__ == "__main__":
    gan = WGAN()
    gan.fit()
    with torch.no_grad():
        sample = gan.synth_ema(gan.mapping.w_avg.unsqueeze(0))
    print("mean-w sample rms", sample.pow(2).mean().sqrt().item())
