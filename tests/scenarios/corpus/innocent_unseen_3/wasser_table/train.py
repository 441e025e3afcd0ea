import torch
from torch import autograd, nn

from .table import CATEGORIES, NUMERIC, rows


class Faker(nn.Module):
    def __init__(self, z=10, h=48):
        super().__init__()
        self.z = z
        self.trunk = nn.Sequential(nn.Linear(z, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, h), nn.ReLU())
        self.cat, self.num = nn.Linear(h, CATEGORIES), nn.Linear(h, NUMERIC)

    def forward(self, n):
        h = self.trunk(torch.randn(n, self.z))
        return torch.cat([nn.functional.gumbel_softmax(self.cat(h), tau=.5), self.num(h)], 1)


class Session:
    def __init__(self, critic_steps, gen_steps, gp):
        torch.manual_seed(19)
        self.k, self.total, self.gp = critic_steps, gen_steps, gp
        self.faker = Faker()
        w = CATEGORIES + NUMERIC
        self.judge = nn.Sequential(nn.Linear(w, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 1))
        self.fo = torch.optim.Adam(self.faker.parameters(), 1e-3, betas=(0., .9))
        self.jo = torch.optim.Adam(self.judge.parameters(), 1e-3, betas=(0., .9))
        self.g = torch.Generator().manual_seed(1)

    def slope_penalty(self, real, fake):
        t = torch.rand(len(real), 1)
        mid = torch.lerp(real, fake, t).requires_grad_()
        slope, = autograd.grad(self.judge(mid).sum(), mid, create_graph=True)
        return (slope.norm(dim=1) - 1).square().mean()

    def critic_step(self, n=128):
        real = rows(n, self.g)
        with torch.no_grad():
            fake = self.faker(n)
        gap = self.judge(fake).mean() - self.judge(real).mean()
        loss = gap + self.gp * self.slope_penalty(real, fake)
        self.jo.zero_grad()
        loss.backward()
        self.jo.step()
        return -gap.item()

    def run(self):
        for s in range(self.total):
            w = [self.critic_step() for _ in range(self.k)]
            self.judge.requires_grad_(False)
            self.fo.zero_grad()
            (-self.judge(self.faker(128)).mean()).backward()
            self.fo.step()
            self.judge.requires_grad_(True)
            if s % 15 == 14:
                print(f"generator step {s + 1}  distance {sum(w) / len(w):+.3f}")
