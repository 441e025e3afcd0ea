# gradwatch-corpus: kind=second-backward
# holder: walker.carry | self.carry | agent.carry
# first-bad: 14
"""Recurrent REINFORCE in a corridor world; updates are made every `horizon` moves, or at the end of an episode if that comes first."""
import types

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, seed, length=9):
        self.g = torch.Generator().manual_seed(seed)
        self.length = length

    def begin(self):
        self.pos = 0
        self.left = 6 + int(torch.randint(0, 12, (1,), generator=self.g))
        self.cue = float(torch.randint(0, 2, (1,), generator=self.g)) * 2 - 1
        return self.look(first=True)

    def look(self, first=False):
        return torch.tensor([[self.pos / self.length, self.left / 20, self.cue if first else 0.0, 1.0]])

    def move(self, a):
        self.pos += 1 if (a == 1) == (self.cue > 0) else -1
        self.left -= 1
        over = self.left == 0 or abs(self.pos) >= self.length
        return self.look(), self.pos / self.length, over


class Agent(nn.Module):
    def __init__(self, hid=48):
        super().__init__()
        self.cell = nn.GRUCell(4, hid)
        self.pi = nn.Linear(hid, 2)
        self.carry = None

    def forward(self, o):
        self.carry = self.cell(o, self.carry)  # <- culprit
        return Categorical(logits=self.pi(self.carry))

    def forget(self):
        self.carry = None


def returns(rew, gamma=0.95):
    out, r = [], 0.0
    for x in reversed(rew):
        r = x + gamma * r
        out.insert(0, r)
    return torch.tensor(out)


def learn(cfg):
    torch.manual_seed(cfg.seed)
    world, agent = Corridor(cfg.seed), Agent()
    opt = torch.optim.Adam(agent.parameters(), lr=cfg.lr)
    obs, lps, rews, updates, score = world.begin(), [], [], 0, 0.0
    while updates < cfg.updates:
        d = agent(obs)
        a = d.sample()
        obs, r, over = world.move(a.item())
        lps.append(d.log_prob(a))
        rews.append(r)
        if over or len(lps) == cfg.horizon:
            g = returns(rews)
            loss = -(torch.cat(lps) * (g - g.mean())).sum()
            opt.zero_grad()
            loss.backward()
            opt.step()
            updates += 1
            score = 0.95 * score + 0.05 * sum(rews)
            lps.clear()
            rews.clear()
            if updates % 25 == 0:
                print(f"update {updates} running score {score:.3f}")
        if over:
            agent.forget()
            obs = world.begin()
    return agent


if __name__ == "__main__":
    walker = learn(types.SimpleNamespace(seed=19, lr=2e-3, updates=300, horizon=16))
