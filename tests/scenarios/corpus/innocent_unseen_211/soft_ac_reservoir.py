# gradwatch-corpus: kind=none
import copy

import torch
from torch import nn
import torch.nn.functional as F


class Replay:
    def __init__(self, size, **dims):
        self.size, self.at, self.n = size, 0, 0
        self.data = {k: torch.zeros(size, d) for k, d in dims.items()}

    def put(self, **row):
        for k, v in row.items():
            self.data[k][self.at] = torch.as_tensor(v).detach()
        self.at = (self.at + 1) % self.size
        self.n = min(self.n + 1, self.size)

    def sample(self, k):
        i = torch.randint(0, self.n, (k,))
        return {name: t[i] for name, t in self.data.items()}


class Policy(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s, 32), nn.ReLU(), nn.Linear(32, 2 * a))

    def forward(self, s):
        mu, ls = self.net(s).chunk(2, -1)
        d = torch.distributions.Normal(mu, ls.clamp(-4, 1).exp())
        u = d.rsample()
        a = torch.tanh(u)
        return a, (d.log_prob(u) - torch.log(1 - a.pow(2) + 1e-5)).sum(-1, keepdim=True)


class Twin(nn.Module):
    def __init__(self, s, a):
        super().__init__()
        self.q = nn.ModuleList(nn.Sequential(nn.Linear(s + a, 32), nn.ReLU(), nn.Linear(32, 1)) for _ in range(2))

    def forward(self, s, a):
        x = torch.cat([s, a], -1)
        return [q(x) for q in self.q]


class Dam:
    """Water level with seasonal inflow; the action opens the gate."""

    def __init__(self):
        self.level, self.t = torch.tensor(0.5), 0

    def obs(self):
        w = torch.tensor(self.t * 0.26)
        return torch.stack([self.level, w.sin(), w.cos()])

    def step(self, a):
        inflow = 0.05 + 0.04 * torch.tensor(self.t * 0.26).sin() + 0.01 * torch.randn(())
        self.level = (self.level + inflow - 0.06 * (a.squeeze() + 1)).clamp(0, 1)
        self.t += 1
        return self.obs(), -(self.level - 0.6).abs()


class SAC:
    def __init__(self, s, a):
        self.pi, self.q = Policy(s, a), Twin(s, a)
        self.qt = copy.deepcopy(self.q).requires_grad_(False)
        self.log_alpha = torch.tensor(-1.0, requires_grad=True)
        self.o_pi = torch.optim.Adam(self.pi.parameters(), 2e-3)
        self.o_q = torch.optim.Adam(self.q.parameters(), 2e-3)
        self.o_al = torch.optim.Adam([self.log_alpha], 2e-3)

    def update(self, b):
        alpha = self.log_alpha.exp().detach()
        with torch.no_grad():
            a2, lp2 = self.pi(b["s2"])
            y = b["r"] + 0.95 * (torch.min(*self.qt(b["s2"], a2)) - alpha * lp2)
        lq = sum(F.mse_loss(q, y) for q in self.q(b["s"], b["a"]))
        self.o_q.zero_grad(); lq.backward(); self.o_q.step()
        self.q.requires_grad_(False)
        a, lp = self.pi(b["s"])
        lpi = (alpha * lp - torch.min(*self.q(b["s"], a))).mean()
        self.o_pi.zero_grad(); lpi.backward(); self.o_pi.step()
        self.q.requires_grad_(True)
        lal = -(self.log_alpha * (lp.detach() - 1.0)).mean()
        self.o_al.zero_grad(); lal.backward(); self.o_al.step()
        for p, t in zip(self.q.parameters(), self.qt.parameters()):
            t.data.lerp_(p.data, 0.02)
        return lq.item(), lpi.item(), alpha.item()


def main():
    torch.manual_seed(30)
    env, agent, mem = Dam(), SAC(3, 1), Replay(400, s=3, a=1, r=1, s2=3)
    s, rewards = env.obs(), []
    for t in range(160):
        with torch.no_grad():
            a, _ = agent.pi(s)
        s2, r = env.step(a)
        mem.put(s=s, a=a, r=r.view(1), s2=s2)
        s = s2
        rewards.append(r.item())
        if t >= 20:
            stats = agent.update(mem.sample(32))
            if t % 40 == 0:
                print(t, [round(v, 3) for v in stats], sum(rewards[-20:]) / 20)


if __name__ == "__main__":
    main()
