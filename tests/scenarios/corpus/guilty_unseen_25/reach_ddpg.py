# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# after: philtabor/Actor-Critic-Methods-Paper-To-Code #6, pytorch/pytorch #39141 (optimizer step of one net between the forward and the backward of the other)
"""Planar two-link arm reaching a point, DDPG with twin nets. All losses first, then all updates."""
import copy
from collections import deque
import random
import numpy as np
import torch
import torch.nn as nn


class MLP(nn.Module):
    def __init__(self, sizes, out=None):
        super().__init__()
        mods = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            mods += [nn.Linear(a, b), nn.ReLU()]
        self.body = nn.Sequential(*mods[:-1])
        self.out = out or nn.Identity()

    def forward(self, *xs):
        return self.out(self.body(torch.cat(xs, -1)))


class Arm:
    def reset(self):
        self.q = np.random.uniform(-1, 1, 2)
        self.goal = np.random.uniform(-1, 1, 2)
        return self.obs()

    def obs(self):
        return np.concatenate([self.q, self.goal]).astype(np.float32)

    def step(self, a):
        self.q = self.q + 0.1 * a
        tip = np.array([np.cos(self.q[0]) + np.cos(self.q.sum()), np.sin(self.q[0]) + np.sin(self.q.sum())])
        return self.obs(), -float(np.linalg.norm(tip - self.goal))


class DDPG:
    def __init__(self):
        self.actor = MLP([4, 48, 48, 2], nn.Tanh())
        self.critic = MLP([6, 48, 48, 1])
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.optims = {
            "critic": torch.optim.Adam(self.critic.parameters(), 1e-3),
            "actor": torch.optim.Adam(self.actor.parameters(), 1e-4),
        }

    def losses(self, s, a, r, s2):
        with torch.no_grad():
            y = r + 0.98 * self.critic_t(s2, self.actor_t(s2))
        critic = nn.functional.mse_loss(self.critic(s, a), y)
        actor = -self.critic(s, self.actor(s)).mean()  # <- culprit
        return {"critic": critic, "actor": actor}

    def update(self, batch):
        losses = self.losses(*batch)
        for name, opt in self.optims.items():
            opt.zero_grad()
            losses[name].backward()
            opt.step()  # <- culprit
        with torch.no_grad():
            for t, o in ((self.actor_t, self.actor), (self.critic_t, self.critic)):
                for pt, p in zip(t.parameters(), o.parameters()):
                    pt.lerp_(p, 0.01)
        return {k: float(v) for k, v in losses.items()}


def main():
    env, agent, buf = Arm(), DDPG(), deque(maxlen=2000)
    s = env.reset()
    for t in range(400):
        with torch.no_grad():
            a = agent.actor(torch.from_numpy(s)).numpy() + 0.2 * np.random.randn(2)
        s2, r = env.step(a)
        buf.append((s, a.astype(np.float32), [np.float32(r)], s2))
        s = env.reset() if t % 25 == 24 else s2
        if t >= 64:
            batch = [torch.as_tensor(np.array(c)) for c in zip(*random.sample(list(buf), 32))]
            info = agent.update(batch)
            if t % 50 == 0:
                print(t, info)


main()
