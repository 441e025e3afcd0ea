import copy

import torch
from torch import nn
from torch.distributions import Normal


class Actor(nn.Module):
    def __init__(self, obs):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(obs, 20), nn.ReLU(), nn.Linear(20, 2))

    def forward(self, o):
        mu, ls = self.f(o).chunk(2, -1)
        d = Normal(mu, ls.clamp(-4, 1).exp())
        u = d.rsample()
        a = torch.tanh(u)
        return a, (d.log_prob(u) - torch.log1p(-a * a + 1e-6)).sum(-1, keepdim=True)


class Twin(nn.Module):
    def __init__(self, obs):
        super().__init__()
        self.a, self.b = (nn.Sequential(nn.Linear(obs + 1, 20), nn.ReLU(), nn.Linear(20, 1)) for _ in range(2))

    def forward(self, o, a):
        x = torch.cat([o, a], -1)
        return self.a(x), self.b(x)


class Sac:
    def __init__(self, obs, gamma=0.97, tau=0.02):
        self.actor, self.q = Actor(obs), Twin(obs)
        self.q_slow = copy.deepcopy(self.q).requires_grad_(False)
        self.log_alpha = torch.tensor(-1.0, requires_grad=True)
        self.oa = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.oq = torch.optim.Adam(self.q.parameters(), lr=1e-3)
        self.ot = torch.optim.Adam([self.log_alpha], lr=1e-3)
        self.gamma, self.tau = gamma, tau

    @torch.no_grad()
    def act(self, o):
        return self.actor(o)[0]

    def update(self, batch):
        o, a, r, n, end = batch
        act, logp = self.actor(o)
        with torch.no_grad():
            na, nl = self.actor(n)
            y = r + self.gamma * (1 - end) * (torch.min(*self.q_slow(n, na)) - self.log_alpha.exp() * nl)
        q1, q2 = self.q(o, a)
        self.oq.zero_grad()
        ((q1 - y).pow(2) + (q2 - y).pow(2)).mean().backward()
        self.oq.step()

        self.q.requires_grad_(False)
        actor_loss = (self.log_alpha.exp().detach() * logp - torch.min(*self.q(o, act))).mean()
        self.oa.zero_grad()
        actor_loss.backward()
        self.oa.step()
        self.q.requires_grad_(True)

        self.ot.zero_grad()
        (-self.log_alpha * (logp.detach() - 1.0)).mean().backward()
        self.ot.step()
        with torch.no_grad():
            for s, p in zip(self.q_slow.parameters(), self.q.parameters()):
                s.lerp_(p, self.tau)
        return (q1.detach() - y).abs().squeeze(1)
