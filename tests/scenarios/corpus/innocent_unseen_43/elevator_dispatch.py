# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical


class Shaft:
    """Each row is a car; move down/stay/up towards the waiting floor."""

    def __init__(self, n=8, floors=9, seed=3):
        self.n, self.floors = n, floors
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.pos = torch.randint(self.floors, (self.n,), generator=self.g)
        self.call = torch.randint(self.floors, (self.n,), generator=self.g)
        return self.observe()

    def observe(self):
        return torch.stack([self.pos, self.call, self.call - self.pos], -1).float() / self.floors

    def step(self, act):
        self.pos = (self.pos + act - 1).clamp(0, self.floors - 1)
        reward = -(self.pos - self.call).abs().float() / self.floors
        done = self.pos == self.call
        fresh = torch.randint(self.floors, (self.n,), generator=self.g)
        self.call = torch.where(done, fresh, self.call)
        return self.observe(), reward + done.float()


class Agent(nn.Module):
    def __init__(self, hid=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, hid), nn.Tanh())
        self.pi, self.vf = nn.Linear(hid, 3), nn.Linear(hid, 1)

    def forward(self, o):
        h = self.body(o)
        return Categorical(logits=self.pi(h)), self.vf(h).squeeze(-1)


@dataclass
class Rollout:
    obs: list = field(default_factory=list)
    act: list = field(default_factory=list)
    logp: list = field(default_factory=list)
    val: list = field(default_factory=list)
    rew: list = field(default_factory=list)

    def push(self, **kw):
        for k, v in kw.items():
            getattr(self, k).append(v)

    def tensors(self, gamma=0.9):
        g, rets = torch.zeros_like(self.rew[0]), []
        for r in reversed(self.rew):
            g = r + gamma * g
            rets.append(g)
        ret = torch.stack(rets[::-1]).flatten()
        val = torch.stack(self.val).flatten()
        adv = ret - val
        return (torch.stack(self.obs).flatten(0, 1), torch.stack(self.act).flatten(),
                torch.stack(self.logp).flatten(), ret, (adv - adv.mean()) / (adv.std() + 1e-6))


@torch.no_grad()
def gather(env, agent, horizon):
    roll, o = Rollout(), env.reset()
    for _ in range(horizon):
        dist, v = agent(o)
        a = dist.sample()
        nxt, r = env.step(a)
        roll.push(obs=o, act=a, logp=dist.log_prob(a), val=v, rew=r)
        o = nxt
    return roll


def improve(agent, opt, roll, epochs=3, size=64, clip=0.2):
    obs, act, old, ret, adv = roll.tensors()
    for _ in range(epochs):
        for idx in torch.randperm(len(obs)).split(size):
            dist, v = agent(obs[idx])
            ratio = (dist.log_prob(act[idx]) - old[idx]).exp()
            gain = torch.min(ratio * adv[idx], ratio.clamp(1 - clip, 1 + clip) * adv[idx]).mean()
            loss = 0.5 * (v - ret[idx]).pow(2).mean() - gain - 0.01 * dist.entropy().mean()
            opt.zero_grad()
            loss.backward()
            opt.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    env, agent = Shaft(), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=3e-3)
    kept = []
    for rnd in range(12):
        roll = gather(env, agent, 16)
        kept = (kept + [roll])[-3:]
        improve(agent, opt, roll)
        mean = sum(torch.stack(r.rew).mean().item() for r in kept) / len(kept)
        print(f"round {rnd}: reward {mean:.3f}")
