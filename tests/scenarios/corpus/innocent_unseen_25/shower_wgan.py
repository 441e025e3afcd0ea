# gradwatch-corpus: kind=none
# after: caogang/wgan-gp (gradient penalty through autograd.grad(create_graph=True), everything in one backward, cf. issue #21)
import torch
import torch.nn as nn
from torch import autograd


class G(nn.Module):
    def __init__(self, z=16):
        super().__init__()
        self.z = z
        self.net = nn.Sequential(nn.Linear(z + 1, 64), nn.LeakyReLU(0.1), nn.Linear(64, 128), nn.LeakyReLU(0.1), nn.Linear(128, 64), nn.Softplus())

    def forward(self, energy):
        return self.net(torch.cat([torch.randn(len(energy), self.z), energy], 1))


class D(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(65, 64), nn.LeakyReLU(0.1), nn.Linear(64, 64), nn.LeakyReLU(0.1), nn.Linear(64, 1))

    def forward(self, cells, energy):
        return self.net(torch.cat([cells, energy], 1)).squeeze(1)


def showers(n):
    e = torch.rand(n, 1) + 0.5
    depth = torch.arange(64).float()
    peak = 12 + 10 * e
    return e * torch.exp(-((depth - peak) / 8) ** 2) * (0.8 + 0.4 * torch.rand(n, 64)), e


class Experiment:
    n_critic, lam = 3, 10.0

    def __init__(self):
        self.g, self.d = G(), D()
        self.og = torch.optim.Adam(self.g.parameters(), 5e-4, betas=(0.5, 0.9))
        self.od = torch.optim.Adam(self.d.parameters(), 5e-4, betas=(0.5, 0.9))
        self.log = {"wasserstein": [], "gp": [], "g": []}

    def penalty(self, real, fake, e):
        mix = torch.rand(len(real), 1)
        x = (mix * real + (1 - mix) * fake).requires_grad_(True)
        score = self.d(x, e)
        (grad,) = autograd.grad(score, x, grad_outputs=torch.ones_like(score), create_graph=True, retain_graph=True)
        return (grad.norm(2, dim=1) - 1).square().mean()

    def critic(self):
        real, e = showers(48)
        fake = self.g(e).detach()
        w = self.d(real, e).mean() - self.d(fake, e).mean()
        gp = self.penalty(real, fake, e)
        self.od.zero_grad()
        (-w + self.lam * gp).backward()
        self.od.step()
        self.log["wasserstein"].append(w.item())
        self.log["gp"].append(float(gp.detach()))

    def generator(self):
        _, e = showers(48)
        for p in self.d.parameters():
            p.requires_grad_(False)
        loss = -self.d(self.g(e), e).mean()
        self.og.zero_grad()
        loss.backward()
        self.og.step()
        for p in self.d.parameters():
            p.requires_grad_(True)
        self.log["g"].append(loss.item())

    def run(self, iters=60):
        for _ in range(iters):
            for _ in range(self.n_critic):
                self.critic()
            self.generator()
        print({k: round(sum(v[-10:]) / 10, 4) for k, v in self.log.items()})


if __name__ == "__main__":
    torch.manual_seed(0)
    Experiment().run()
