# gradwatch-corpus: kind=none
from collections import deque
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(105)


class Memory:
    def __init__(self):
        self.steps = []

    def add(self, **kw):
        self.steps.append(kw)

    def drain(self):
        out, self.steps = self.steps, []
        return out


class HiddenPolicy(nn.Module):
    """remembers cues in a recurrent state, within an episode"""

    def __init__(self, h=12):
        super().__init__()
        self.h = h
        self.cell = nn.GRUCell(5, h)
        self.out = nn.Linear(h, 3)

    def start(self):
        return torch.zeros(1, self.h)

    def forward(self, obs, state):
        state = self.cell(obs, state)
        return Categorical(logits=self.out(state)), state


policy, mem = HiddenPolicy(), Memory()
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
baseline, window = 0.0, deque(maxlen=50)


def episode():
    goal = torch.randint(0, 3, (1,)).item()
    state, total = policy.start(), 0.0
    for t in range(6):
        obs = torch.zeros(1, 5)
        obs[0, 3] = t / 6
        if t == 0:
            obs[0, goal] = 1.0
        dist, state = policy(obs, state)
        a = dist.sample()
        r = 1.0 if t >= 2 and a.item() == goal else 0.0
        mem.add(logp=dist.log_prob(a), reward=r, entropy=dist.entropy())
        total += r
    return total


for ep in range(500):
    total = episode()
    steps = mem.drain()
    G, loss = 0.0, 0.0
    for s in reversed(steps):
        G = s["reward"] + 0.9 * G
        loss = loss - s["logp"] * (G - baseline) - 0.01 * s["entropy"]
    opt.zero_grad()
    loss.sum().backward()
    opt.step()
    baseline = 0.95 * baseline + 0.05 * G
    window.append(total)
    if ep % 100 == 99:
        print(ep + 1, sum(window) / len(window))
