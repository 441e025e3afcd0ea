# gradwatch-corpus: kind=graph-chain
# holder: self.trace | learner.trace
# first-bad: 1
"""Linear actor-critic(lambda) on mountain car with Fourier features."""
import itertools
import math
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    steps: int = 420
    order: int = 3
    gamma: float = 0.99
    lam: float = 0.8
    lr: float = 2e-3
    horizon: int = 1000


class MountainCar:
    def __init__(self, horizon):
        self.horizon = horizon
        self.reset()

    def reset(self):
        self.x, self.v, self.t = -0.5, 0.0, 0
        return self.x, self.v

    def step(self, action):
        self.v = min(0.07, max(-0.07, self.v + 0.001 * (action - 1) - 0.0025 * math.cos(3 * self.x)))
        self.x = min(0.6, max(-1.2, self.x + self.v))
        self.t += 1
        done = self.x >= 0.5 or self.t >= self.horizon
        return (self.x, self.v), -1.0, done


class Fourier:
    def __init__(self, order):
        self.freq = torch.tensor(list(itertools.product(range(order + 1), repeat=2)), dtype=torch.float)

    @property
    def dim(self):
        return len(self.freq)

    def __call__(self, state):
        s = torch.tensor([(state[0] + 1.2) / 1.8, (state[1] + 0.07) / 0.14])
        return torch.cos(math.pi * self.freq @ s)


class Learner:
    def __init__(self, cfg, dim, n_actions=3):
        self.cfg = cfg
        self.actor = nn.Linear(dim, n_actions)
        self.critic = nn.Linear(dim, 1)
        self.opt = torch.optim.SGD([*self.actor.parameters(), *self.critic.parameters()], lr=cfg.lr)
        self.begin_episode()

    def begin_episode(self):
        self.trace = torch.zeros(())

    def act(self, phi):
        dist = torch.distributions.Categorical(logits=self.actor(phi))
        action = dist.sample()
        score = dist.log_prob(action) + self.critic(phi).squeeze()
        self.trace = self.cfg.gamma * self.cfg.lam * self.trace + score  # <- culprit
        return action.item()

    def learn(self, phi, reward, phi_next, done):
        with torch.no_grad():
            bootstrap = 0.0 if done else self.cfg.gamma * self.critic(phi_next).squeeze()
            delta = reward + bootstrap - self.critic(phi).squeeze()
        loss = -delta * self.trace
        self.opt.zero_grad()
        loss.backward(retain_graph=True)
        self.opt.step()
        return delta.item()


def main():
    cfg = Config()
    torch.manual_seed(10)
    env, features = MountainCar(cfg.horizon), Fourier(cfg.order)
    learner = Learner(cfg, features.dim)
    phi = features(env.reset())
    for step in range(cfg.steps):
        state, reward, done = env.step(learner.act(phi))
        phi_next = features(state)
        delta = learner.learn(phi, reward, phi_next, done)
        phi = phi_next
        if done:
            phi = features(env.reset())
            learner.begin_episode()
        if step % 60 == 0:
            print(f"step {step} delta {delta:+.3f} x {env.x:+.3f}")


if __name__ == "__main__":
    main()
