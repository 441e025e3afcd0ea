# gradwatch-corpus: kind=none
"""A2C with a recurrent policy; the recurrent state is carried from rollout to rollout."""
from types import SimpleNamespace

import torch
import torch.nn as nn
from torch.distributions import Categorical

cfg = SimpleNamespace(envs=8, rollout=10, updates=80, gamma=0.95, lam=0.9, ent=0.01, vf=0.5, lr=3e-3, seed=19)


class VecCue:
    """The cue shown at the first step tells which arm pays at the end of the episode."""

    def __init__(self, n, length=5):
        self.n, self.length = n, length
        self.t = torch.zeros(n, dtype=torch.long)
        self.cue = torch.randint(0, 2, (n,))

    def obs(self):
        o = torch.zeros(self.n, 4)
        first = self.t == 0
        o[first, self.cue[first]] = 1.0
        o[:, 2] = (self.t == self.length - 1).float()
        o[:, 3] = self.t / self.length
        return o

    def step(self, a):
        last = self.t == self.length - 1
        r = torch.where(last, torch.where(a == self.cue, 1.0, -1.0), torch.zeros(self.n))
        self.t = torch.where(last, 0, self.t + 1)
        self.cue = torch.where(last, torch.randint(0, 2, (self.n,)), self.cue)
        return r, last.float()


class RecurrentAC(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.gru = nn.GRUCell(4, hidden)
        self.pi, self.v = nn.Linear(hidden, 2), nn.Linear(hidden, 1)

    def forward(self, o, h):
        h = self.gru(o, h)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1), h


class Rollout:
    def __init__(self):
        self.clear()

    def clear(self):
        self.logp, self.values, self.rewards, self.dones, self.entropy = [], [], [], [], []

    def gae(self, last_value):
        adv, out = torch.zeros_like(last_value), []
        nxt = last_value
        for r, v, d in zip(reversed(self.rewards), reversed(self.values), reversed(self.dones)):
            v = v.detach()
            delta = r + cfg.gamma * nxt * (1 - d) - v
            adv = delta + cfg.gamma * cfg.lam * (1 - d) * adv
            out.insert(0, adv)
            nxt = v
        return torch.stack(out)


def main():
    torch.manual_seed(cfg.seed)
    env, net, roll = VecCue(cfg.envs), RecurrentAC(), Rollout()
    opt = torch.optim.RMSprop(net.parameters(), lr=cfg.lr, alpha=0.99)
    h = torch.zeros(cfg.envs, 32)
    score = 0.0
    for up in range(cfg.updates):
        h = h.detach()
        for _ in range(cfg.rollout):
            dist, v, h = net(env.obs(), h)
            a = dist.sample()
            r, done = env.step(a)
            roll.logp.append(dist.log_prob(a))
            roll.entropy.append(dist.entropy())
            roll.values.append(v)
            roll.rewards.append(r)
            roll.dones.append(done)
            h = h * (1 - done).unsqueeze(1)
        with torch.no_grad():
            last = net(env.obs(), h)[1]
        adv = roll.gae(last)
        values = torch.stack(roll.values)
        returns = adv + values.detach()
        policy = -(torch.stack(roll.logp) * adv).mean()
        value = (returns - values).pow(2).mean()
        loss = policy + cfg.vf * value - cfg.ent * torch.stack(roll.entropy).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 0.5)
        opt.step()
        gain = torch.stack(roll.rewards).sum() / torch.stack(roll.dones).sum()
        score = 0.9 * score + 0.1 * float(gain)
        roll.clear()
        if (up + 1) % 20 == 0:
            print(f"update {up + 1} value loss {value.item():.4f} score {score:.3f}")


if __name__ == "__main__":
    main()
