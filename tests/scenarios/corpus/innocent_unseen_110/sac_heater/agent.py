import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def net(i, o):
    return nn.Sequential(nn.Linear(i, 32), nn.ReLU(inplace=True), nn.Linear(32, 32), nn.ReLU(inplace=True), nn.Linear(32, o))


class HeaterAgent:
    def __init__(self, od, ad, gamma=0.95, tau=0.02):
        self.pi = net(od, 2 * ad)
        self.q = nn.ModuleList([net(od + ad, 1), net(od + ad, 1)])
        self.q_slow = copy.deepcopy(self.q)
        for p in self.q_slow.parameters():
            p.requires_grad_(False)
        self.log_alpha = torch.zeros(1, requires_grad=True)
        self.opt_q = torch.optim.Adam(self.q.parameters(), 2e-3)
        self.opt_pi = torch.optim.Adam(self.pi.parameters(), 1e-3)
        self.opt_alpha = torch.optim.Adam([self.log_alpha], 3e-3)
        self.gamma, self.tau, self.goal = gamma, tau, -float(ad)

    def sample(self, o):
        mu, ls = self.pi(o).chunk(2, -1)
        dist = torch.distributions.Normal(mu, ls.clamp(-4, 1).exp())
        z = dist.rsample()
        a = torch.tanh(z)
        logp = (dist.log_prob(z) - torch.log(1 - a * a + 1e-5)).sum(-1, keepdim=True)
        return a, logp

    def act(self, o):
        with torch.no_grad():
            return self.sample(o)[0]

    def min_q(self, nets, o, a):
        x = torch.cat([o, a], -1)
        return torch.min(nets[0](x), nets[1](x))

    def update(self, o, a, r, o2):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            a2, lp2 = self.sample(o2)
            y = r + self.gamma * (self.min_q(self.q_slow, o2, a2) - alpha * lp2)
        x = torch.cat([o, a], -1)
        lq = sum(F.mse_loss(q(x), y) for q in self.q)
        self.opt_q.zero_grad()
        lq.backward()
        self.opt_q.step()

        self.q.requires_grad_(False)
        an, lp = self.sample(o)
        lpi = (alpha * lp - self.min_q(self.q, o, an)).mean()
        self.opt_pi.zero_grad()
        lpi.backward()
        self.opt_pi.step()
        self.q.requires_grad_(True)

        la = -(self.log_alpha * (lp.detach() + self.goal)).mean()
        self.opt_alpha.zero_grad()
        la.backward()
        self.opt_alpha.step()

        with torch.no_grad():
            for s, p in zip(self.q_slow.parameters(), self.q.parameters()):
                s.mul_(1 - self.tau).add_(p, alpha=self.tau)
        return lq.item(), lpi.item(), alpha.item()
