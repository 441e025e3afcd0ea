import torch
import torch.nn as nn

from events import StepEnd


class Schedule:
    def __init__(self, T):
        self.T = T
        self.beta = torch.linspace(1e-3, 0.12, T)
        self.alpha = 1 - self.beta
        self.abar = self.alpha.cumprod(0)


class NoisePredictor(nn.Module):
    def __init__(self, width=64, T=50):
        super().__init__()
        self.time = nn.Embedding(T, width)
        self.inp = nn.Linear(2, width)
        self.mid = nn.Sequential(nn.SiLU(), nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t):
        return self.mid(self.inp(x) + self.time(t))


class Engine:
    def __init__(self, net, schedule, bus, lr=2e-3):
        self.net, self.s, self.bus = net, schedule, bus
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def loss(self, x0):
        t = torch.randint(self.s.T, (len(x0),))
        eps = torch.randn_like(x0)
        a = self.s.abar[t, None]
        return (self.net(a.sqrt() * x0 + (1 - a).sqrt() * eps, t) - eps).pow(2).mean()

    def step(self, i, x0):
        loss = self.loss(x0)
        self.opt.zero_grad()
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.bus.publish(StepEnd(i, loss, float(norm)))  # <- culprit

    @torch.no_grad()
    def sample(self, n):
        x = torch.randn(n, 2)
        for t in reversed(range(self.s.T)):
            eps = self.net(x, torch.full((n,), t))
            x = (x - self.s.beta[t] / (1 - self.s.abar[t]).sqrt() * eps) / self.s.alpha[t].sqrt()
            if t:
                x = x + self.s.beta[t].sqrt() * torch.randn_like(x)
        return x
