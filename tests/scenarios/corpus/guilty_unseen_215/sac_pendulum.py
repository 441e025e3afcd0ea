# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
import random
from collections import deque
from dataclasses import dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    gamma: float = 0.98
    lr: float = 1e-3
    hidden: int = 64
    batch_size: int = 64
    start: int = 128
    steps: int = 250
    tau: float = 0.01
    seed: int = 2


class Pendulum:
    def reset(self):
        self.th, self.om, self.t = random.uniform(-3.1, 3.1), 0.0, 0
        return self._obs()

    def _obs(self):
        return np.array([np.cos(self.th), np.sin(self.th), self.om], dtype=np.float32)

    def step(self, u):
        u = float(np.clip(u, -1, 1)) * 2
        cost = ((self.th + np.pi) % (2 * np.pi) - np.pi) ** 2 + 0.1 * self.om ** 2 + 0.001 * u ** 2
        self.om = float(np.clip(self.om + 0.05 * (15 * np.sin(self.th) + 3 * u), -8, 8))
        self.th += 0.05 * self.om
        self.t += 1
        return self._obs(), -float(cost) / 10, self.t >= 100


class ActorCritic(nn.Module):
    """Shared encoder for policy and value."""

    def __init__(self, n_obs, hidden):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(n_obs, hidden), nn.ReLU(), nn.Linear(hidden, hidden), nn.ReLU())
        self.mu = nn.Linear(hidden, 1)
        self.log_std = nn.Parameter(torch.zeros(1))
        self.q = nn.Sequential(nn.Linear(hidden + 1, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def policy(self, obs):
        h = self.encoder(obs)
        return h, torch.tanh(self.mu(h) + self.log_std.exp() * torch.randn(len(obs), 1))

    def value(self, h, a):
        return self.q(torch.cat([h, a], -1)).squeeze(-1)


class Learner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net, self.target = ActorCritic(3, cfg.hidden), ActorCritic(3, cfg.hidden)
        self.target.load_state_dict(self.net.state_dict())
        self.critic_opt = torch.optim.Adam([*self.net.encoder.parameters(), *self.net.q.parameters()], lr=cfg.lr)
        self.actor_opt = torch.optim.Adam([*self.net.mu.parameters(), self.net.log_std], lr=cfg.lr)

    def update(self, obs, act, rew, nxt):
        h, new_act = self.net.policy(obs)
        q = self.net.value(h, act)
        q_pi = self.net.value(h, new_act)  # <- culprit
        with torch.no_grad():
            h2, a2 = self.target.policy(nxt)
            target = rew + self.cfg.gamma * self.target.value(h2, a2)
        critic_loss = F.mse_loss(q, target)
        actor_loss = -q_pi.mean()

        self.critic_opt.zero_grad()
        critic_loss.backward(retain_graph=True)
        self.critic_opt.step()  # <- culprit

        self.actor_opt.zero_grad()
        actor_loss.backward()  # <- culprit
        self.actor_opt.step()

        with torch.no_grad():
            for p, tp in zip(self.net.parameters(), self.target.parameters()):
                tp.lerp_(p, self.cfg.tau)
        return critic_loss.item(), actor_loss.item()


def main(cfg):
    random.seed(cfg.seed); np.random.seed(cfg.seed); torch.manual_seed(cfg.seed)
    env, learner, memory = Pendulum(), Learner(cfg), deque(maxlen=5000)
    obs = env.reset()
    for step in range(cfg.steps):
        with torch.no_grad():
            a = learner.net.policy(torch.from_numpy(obs)[None])[1].item()
        nxt, r, done = env.step(a)
        memory.append((obs, a, r, nxt))
        obs = env.reset() if done else nxt
        if len(memory) >= cfg.start:
            o, ac, rw, nx = zip(*random.sample(memory, cfg.batch_size))
            losses = learner.update(torch.from_numpy(np.stack(o)), torch.tensor(ac)[:, None],
                                    torch.tensor(rw), torch.from_numpy(np.stack(nx)))
            if step % 40 == 0:
                print(step, *(round(v, 4) for v in losses))


if __name__ == "__main__":
    main(Config())
