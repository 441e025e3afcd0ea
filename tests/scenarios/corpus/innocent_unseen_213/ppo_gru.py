# gradwatch-corpus: kind=none
from dataclasses import dataclass, fields

import torch
from torch import nn
from torch.distributions import Categorical


@dataclass
class Rollout:
    obs: torch.Tensor
    act: torch.Tensor
    logp: torch.Tensor
    val: torch.Tensor
    rew: torch.Tensor
    h0: torch.Tensor

    @classmethod
    def collate(cls, steps, h0):
        cols = zip(*steps)
        return cls(*(torch.stack(c) for c in cols), h0=h0)

    def envs(self, idx):
        return Rollout(**{f.name: getattr(self, f.name)[:, idx] if f.name != "h0" else self.h0[idx] for f in fields(self)})


class ActorCritic(nn.Module):
    def __init__(self, obs=3, act=3, hid=32):
        super().__init__()
        self.cell = nn.GRUCell(obs, hid)
        self.pi, self.v = nn.Linear(hid, act), nn.Linear(hid, 1)

    def forward(self, x, h):
        h = self.cell(x, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class HiddenStats:
    def __init__(self, module):
        self.outs = []
        self.handle = module.register_forward_hook(lambda m, i, o: self.outs.append(o))

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.handle.remove()

    def penalty(self):
        return torch.stack(self.outs).pow(2).mean()


class Bandit:
    def __init__(self, n):
        self.n = n
        self.best = torch.randint(0, 3, (n,))

    def step(self, a):
        self.best = torch.where(torch.rand(self.n) < 0.05, torch.randint(0, 3, (self.n,)), self.best)
        r = (a == self.best).float()
        x = torch.nn.functional.one_hot(a, 3).float() * (2 * r[:, None] - 1)
        return x, r


class PPO:
    def __init__(self, n=16, horizon=12):
        self.n, self.horizon = n, horizon
        self.net = ActorCritic()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.env = Bandit(n)
        self.x, self.h = torch.zeros(n, 3), torch.zeros(n, 32)

    @torch.no_grad()
    def collect(self):
        h0, steps = self.h, []
        for _ in range(self.horizon):
            dist, v, self.h = self.net(self.x, self.h)
            a = dist.sample()
            nxt, r = self.env.step(a)
            steps.append((self.x, a, dist.log_prob(a), v, r))
            self.x = nxt
        return Rollout.collate(steps, h0)

    def targets(self, ro, gamma=0.8, lam=0.9):
        adv, last = torch.zeros_like(ro.rew), torch.zeros(self.n)
        for t in reversed(range(self.horizon - 1)):
            delta = ro.rew[t] + gamma * ro.val[t + 1] - ro.val[t]
            last = adv[t] = delta + gamma * lam * last
        return (adv - adv.mean()) / (adv.std() + 1e-6), adv + ro.val

    def minibatch(self, mb, adv, ret):
        h, terms = mb.h0, []
        with HiddenStats(self.net.cell) as stats:
            for t in range(self.horizon - 1):
                dist, v, h = self.net(mb.obs[t], h)
                ratio = (dist.log_prob(mb.act[t]) - mb.logp[t]).exp()
                surr = torch.min(ratio * adv[t], ratio.clamp(0.8, 1.2) * adv[t])
                terms.append((-surr + 0.5 * (v - ret[t]) ** 2 - 0.01 * dist.entropy()).mean())
        loss = sum(terms) / len(terms) + 1e-3 * stats.penalty()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 0.5)
        self.opt.step()
        return loss.item()

    def iterate(self, epochs=2):
        ro = self.collect()
        adv, ret = self.targets(ro)
        for _ in range(epochs):
            for idx in torch.randperm(self.n).chunk(2):
                last = self.minibatch(ro.envs(idx), adv[:, idx], ret[:, idx])
        return ro.rew.mean().item(), last


if __name__ == "__main__":
    torch.manual_seed(6)
    ppo = PPO()
    for it in range(60):
        rew, loss = ppo.iterate()
        if it % 15 == 0:
            print(f"iter {it} reward {rew:.3f} loss {loss:.4f}")
