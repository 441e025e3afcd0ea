# gradwatch-corpus: kind=graph-chain
# holder: self.rate | critic.rate | self.critic.rate | experiment.critic.rate
# first-bad: 1
"""Differential TD for a queue with admission control (average reward instead of discounting).
Linear critic over tile features, several copies of the queue side by side; reproduces the figure in Sutton & Barto 10.3 roughly."""
import random
from dataclasses import dataclass

import torch


@dataclass
class Config:
    servers: int = 6
    copies: int = 12
    steps: int = 400
    rate_gain: float = 0.02
    lr: float = 0.05
    seed: int = 6
    report: int = 100


class Queue:
    PAY = (1.0, 2.0, 4.0, 8.0)

    def __init__(self, servers, rng):
        self.servers, self.rng = servers, rng
        self.free = servers
        self.customer = rng.randrange(4)

    def tile(self):
        return self.free * 4 + self.customer

    def step(self, accept):
        reward = 0.0
        if accept and self.free:
            reward = self.PAY[self.customer]
            self.free -= 1
        busy = self.servers - self.free
        self.free += sum(self.rng.random() < 0.06 for _ in range(busy))
        self.customer = self.rng.randrange(4)
        return reward


class Features:
    def __init__(self, servers):
        self.size = (servers + 1) * 4

    def __call__(self, tiles):
        phi = torch.zeros(len(tiles), self.size + 1)
        phi[torch.arange(len(tiles)), torch.tensor(tiles)] = 1.0
        phi[:, -1] = 1.0
        return phi


class DifferentialCritic:
    def __init__(self, n_features, gain):
        self.weight = torch.zeros(n_features, requires_grad=True)
        self.rate = torch.zeros(())
        self.gain = gain

    def value(self, phi):
        return phi @ self.weight

    def td_error(self, phi, reward, phi_next):
        with torch.no_grad():
            ahead = self.value(phi_next)
        return reward - self.rate + ahead - self.value(phi)

    def track(self, delta):
        self.rate = self.rate + self.gain * delta.mean()  # <- culprit


class ThresholdPolicy:
    """Accept when the pay beats what a free server is worth at the moment."""

    def __init__(self, rng, epsilon=0.1):
        self.rng, self.epsilon = rng, epsilon

    def __call__(self, queue):
        if self.rng.random() < self.epsilon:
            return self.rng.random() < 0.5
        return queue.PAY[queue.customer] >= 4.0 / (queue.free + 1)


class Experiment:
    def __init__(self, cfg):
        self.cfg = cfg
        rng = random.Random(cfg.seed)
        self.queues = [Queue(cfg.servers, rng) for _ in range(cfg.copies)]
        self.features = Features(cfg.servers)
        self.policy = ThresholdPolicy(rng)
        self.critic = DifferentialCritic(self.features.size + 1, cfg.rate_gain)
        self.optimizer = torch.optim.SGD([self.critic.weight], lr=cfg.lr)
        self.earned = 0.0

    def transition(self):
        phi = self.features([q.tile() for q in self.queues])
        reward = torch.tensor([q.step(self.policy(q)) for q in self.queues])
        return phi, reward, self.features([q.tile() for q in self.queues])

    def learn(self, phi, reward, phi_next):
        delta = self.critic.td_error(phi, reward, phi_next)
        loss = 0.5 * delta.pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optimizer.step()
        self.critic.track(delta)
        return loss.item()

    def run(self):
        for step in range(self.cfg.steps):
            batch = self.transition()
            loss = self.learn(*batch)
            self.earned += batch[1].mean().item()
            if (step + 1) % self.cfg.report == 0:
                print(
                    f"{step + 1:4d}: loss {loss:6.3f}  rate {self.critic.rate.item():.3f}  "
                    f"earned per step {self.earned / (step + 1):.3f}"
                )


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(0)
    Experiment(Config()).run()
