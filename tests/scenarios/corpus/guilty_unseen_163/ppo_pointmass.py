# gradwatch-corpus: kind=second-backward
# holder: buf.logp | old_logp | self.logp
# first-bad: 1
"""PPO with a gaussian policy on a one dimensional point mass."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Normal

torch.set_num_threads(1)
torch.manual_seed(8)


class PointMass:
    def reset(self):
        self.s = torch.tensor([torch.empty(1).uniform_(-1, 1).item(), 0.0])
        return self.s

    def step(self, force):
        x, v = self.s.tolist()
        v = 0.95 * v + 0.1 * max(-1.0, min(1.0, force))
        x = x + 0.1 * v
        self.s = torch.tensor([x, v])
        return self.s, -(x * x + 0.1 * v * v)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))
        self.log_std = nn.Parameter(torch.zeros(1) - 0.5)
        self.value = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 1))

    def dist(self, s):
        return Normal(self.mu(s), self.log_std.exp())


@dataclass
class Buffer:
    obs: list = field(default_factory=list)
    act: list = field(default_factory=list)
    logp: list = field(default_factory=list)
    rew: list = field(default_factory=list)

    def add(self, s, a, logp, r):
        self.obs.append(s)
        self.act.append(a)
        self.logp.append(logp)  # <- culprit
        self.rew.append(r)

    def returns(self, gamma=0.97):
        out, run = [], 0.0
        for r in reversed(self.rew):
            run = r + gamma * run
            out.append(run)
        return torch.tensor(out[::-1])


def collect(env, policy, n):
    buf = Buffer()
    s = env.reset()
    for _ in range(n):
        d = policy.dist(s)
        a = d.sample()
        s2, r = env.step(a.item())
        buf.add(s, a, d.log_prob(a).sum(), r)  # <- culprit
        s = s2
    return buf


def update(policy, opt, buf, epochs=4, clip=0.2):
    obs, act, ret = torch.stack(buf.obs), torch.stack(buf.act), buf.returns()
    old_logp = torch.stack(buf.logp)  # <- culprit
    with torch.no_grad():
        adv = ret - policy.value(obs).squeeze(-1)
        adv = (adv - adv.mean()) / (adv.std() + 1e-8)
    for _ in range(epochs):
        logp = policy.dist(obs).log_prob(act).sum(-1)
        ratio = (logp - old_logp).exp()  # <- culprit
        surr = torch.min(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv)
        v_loss = (policy.value(obs).squeeze(-1) - ret).pow(2).mean()
        loss = -surr.mean() + 0.5 * v_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def main():
    env, policy = PointMass(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for it in range(40):
        buf = collect(env, policy, 64)
        loss = update(policy, opt, buf)
        if it % 5 == 0:
            print(f"iter {it} return {sum(buf.rew):.2f} loss {loss:.4f}")


if __name__ == "__main__":
    main()
