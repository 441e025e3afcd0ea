# gradwatch-corpus: kind=none
"""PPO with a value head, running return normalisation and KL-based early stopping of the inner epochs."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from torch.distributions import Normal


class PointMass:
    def __init__(self, n, g):
        self.n, self.g = n, g
        self.reset()

    def reset(self):
        self.p = torch.randn(self.n, 2, generator=self.g)
        self.v = torch.zeros(self.n, 2)
        return self.obs()

    def obs(self):
        return torch.cat([self.p, self.v], -1)

    def step(self, a):
        self.v = 0.8 * self.v + 0.2 * a.clamp(-1, 1)
        self.p = self.p + 0.3 * self.v
        r = -self.p.norm(dim=-1)
        done = self.p.norm(dim=-1) < 0.1
        self.p = torch.where(done[:, None], torch.randn(self.n, 2, generator=self.g), self.p)
        return self.obs(), r + done.float() * 5, done.float()


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 48), nn.Tanh(), nn.Linear(48, 48), nn.Tanh())
        self.mu = nn.Linear(48, 2)
        self.log_std = nn.Parameter(torch.full((2,), -0.5))
        self.value = nn.Linear(48, 1)

    def forward(self, s):
        h = self.body(s)
        return Normal(self.mu(h), self.log_std.exp()), self.value(h).squeeze(-1)


@dataclass
class RunningStd:
    mean: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    var: torch.Tensor = field(default_factory=lambda: torch.ones(()))

    def update(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean()
        self.var = 0.9 * self.var + 0.1 * x.var()

    def scale(self, x):
        return x / (self.var.sqrt() + 1e-6)


@dataclass
class Buffer:
    items: list = field(default_factory=list)

    def push(self, **kw):
        self.items.append({k: v.detach() for k, v in kw.items()})

    def stacked(self):
        return {k: torch.stack([i[k] for i in self.items]) for k in self.items[0]}

    def clear(self):
        self.items.clear()


def returns(data, last_v, gamma=0.95, lam=0.95):
    adv = torch.zeros_like(last_v)
    nxt, out = last_v, []
    for t in range(len(data["r"]) - 1, -1, -1):
        m = 1 - data["done"][t]
        adv = data["r"][t] + gamma * nxt * m - data["v"][t] + gamma * lam * m * adv
        nxt = data["v"][t]
        out.insert(0, adv)
    adv = torch.stack(out)
    return adv, adv + data["v"]


def main():
    torch.manual_seed(0)
    env = PointMass(8, torch.Generator().manual_seed(1))
    net, buf, norm = Policy(), Buffer(), RunningStd()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    s = env.reset()
    rows = []
    for update in range(12):
        buf.clear()
        for _ in range(20):
            with torch.no_grad():
                dist, v = net(s)
                a = dist.sample()
            nxt, r, done = env.step(a)
            buf.push(s=s, a=a, logp=dist.log_prob(a).sum(-1), r=r, done=done, v=v)
            s = nxt
        data = buf.stacked()
        with torch.no_grad():
            last_v = net(s)[1]
        norm.update(data["r"])
        data["r"] = norm.scale(data["r"])
        adv, ret = returns(data, last_v)
        flat = {k: data[k].flatten(0, 1) for k in ("s", "a", "logp")}
        flat["adv"], flat["ret"] = adv.flatten(), ret.flatten()
        for epoch in range(4):
            kls = []
            for idx in torch.randperm(len(flat["adv"])).split(80):
                dist, v = net(flat["s"][idx])
                logp = dist.log_prob(flat["a"][idx]).sum(-1)
                ratio = (logp - flat["logp"][idx]).exp()
                a = flat["adv"][idx]
                a = (a - a.mean()) / (a.std() + 1e-6)
                loss = -torch.min(ratio * a, ratio.clamp(0.8, 1.2) * a).mean()
                loss = loss + 0.5 * (v - flat["ret"][idx]).pow(2).mean() - 0.001 * dist.entropy().mean()
                opt.zero_grad()
                loss.backward()
                opt.step()
                kls.append((flat["logp"][idx] - logp).mean().item())
            if sum(kls) / len(kls) > 0.03:
                break
        rows.append({"update": update, "epochs": epoch + 1, "reward": data["r"].mean().item()})
    print(rows[0], rows[-1])


if __name__ == "__main__":
    main()
