# gradwatch-corpus: kind=memory-climb
# holder: self.episodes | buffer.episodes
"""World-model training: frames are gathered by a random behaviour policy, then sampled."""
import random

import torch
from torch import nn


class EpisodeBuffer:
    def __init__(self, seed=0):
        self.rng = random.Random(seed)
        self.episodes = []

    def add(self, frames, actions):
        self.episodes.append({"frames": frames.clone(), "actions": actions.clone()})  # <- culprit

    def sample(self, n):
        out = []
        for _ in range(n):
            e = self.rng.choice(self.episodes)
            t = self.rng.randrange(len(e["frames"]) - 1)
            out.append((e["frames"][t], e["actions"][t], e["frames"][t + 1]))
        return map(torch.stack, zip(*out))


class Env:
    size = 96

    def episode(self, T=60):
        ys = torch.linspace(-1, 1, self.size)
        a = torch.randn(T, 2) * 0.1
        p = a.cumsum(0).clamp(-0.9, 0.9)
        fr = torch.exp(-((ys[None, :, None] - p[:, :1, None]) ** 2 + (ys[None, None] - p[:, 1:, None]) ** 2) / 0.02)
        return fr, a


class WorldModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2d(8)
        self.net = nn.Sequential(nn.Linear(66, 64), nn.ReLU(), nn.Linear(64, 64))

    def forward(self, f, a):
        z = self.pool(f[:, None]).flatten(1)
        return self.net(torch.cat([z, a], 1))


torch.manual_seed(0)
env, buffer, wm = Env(), EpisodeBuffer(), WorldModel()
opt = torch.optim.Adam(wm.parameters(), lr=1e-3)
for it in range(150):
    buffer.add(*env.episode())
    f, a, f2 = buffer.sample(16)
    loss = (wm(f, a) - wm.pool(f2[:, None]).flatten(1)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, "loss %.5f" % loss.item(), "episodes", len(buffer.episodes))
