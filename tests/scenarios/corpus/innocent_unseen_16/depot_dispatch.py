# gradwatch-corpus: kind=none
"""Actor-critic dispatching of forklifts to queues at a depot, off policy: replay memory, twin
critics with slow targets, a learned temperature, three optimizers."""
import copy
import random
from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import nn

QUEUES, BATCH, STEPS = 5, 32, 320


class Transition(NamedTuple):
    state: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    following: torch.Tensor


class Depot:
    """Queues fill at random; a forklift empties part of the one it is sent to."""

    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.arrivals = torch.linspace(0.05, 0.25, QUEUES)
        self.queue = torch.zeros(QUEUES)

    def send(self, action):
        queue = self.queue + self.arrivals * torch.rand(QUEUES, generator=self.gen) * 2
        queue[action] = (queue[action] - 0.9).clamp_min(0)
        self.queue = queue.clamp_max(3.0)
        return -self.queue.sum(), self.queue.clone()


class Replay:
    def __init__(self, capacity, rng):
        self.items = deque(maxlen=capacity)
        self.rng = rng

    def push(self, *fields):
        self.items.append(Transition(*fields))

    def sample(self, n):
        return Transition(*map(torch.stack, zip(*self.rng.sample(self.items, n))))


def mlp(out):
    return nn.Sequential(nn.Linear(QUEUES, 40), nn.ReLU(), nn.Linear(40, out))


class Dispatcher:
    gamma, slow = 0.95, 0.02

    def __init__(self):
        self.actor = mlp(QUEUES)
        self.critics = nn.ModuleList([mlp(QUEUES), mlp(QUEUES)])
        self.targets = copy.deepcopy(self.critics).requires_grad_(False)
        self.log_alpha = torch.zeros((), requires_grad=True)
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=2e-3)
        self.opt_critic = torch.optim.Adam(self.critics.parameters(), lr=4e-3)
        self.opt_alpha = torch.optim.Adam([self.log_alpha], lr=5e-3)
        self.last = {}

    @torch.no_grad()
    def choose(self, state):
        return torch.distributions.Categorical(logits=self.actor(state)).sample()

    @torch.no_grad()
    def _backup(self, batch):
        logp = F.log_softmax(self.actor(batch.following), -1)
        q = torch.minimum(*[t(batch.following) for t in self.targets])
        value = (logp.exp() * (q - self.log_alpha.exp() * logp)).sum(-1)
        return batch.reward + self.gamma * value

    def learn(self, batch):
        goal = self._backup(batch)
        taken = [c(batch.state).gather(1, batch.action[:, None]).squeeze(1) for c in self.critics]
        critic_loss = sum(F.smooth_l1_loss(q, goal) for q in taken)
        self.opt_critic.zero_grad()
        critic_loss.backward()
        self.opt_critic.step()

        with torch.no_grad():
            q = torch.minimum(*[c(batch.state) for c in self.critics])
        logp = F.log_softmax(self.actor(batch.state), -1)
        alpha = self.log_alpha.exp().detach()
        actor_loss = (logp.exp() * (alpha * logp - q)).sum(-1).mean()
        self.opt_actor.zero_grad()
        actor_loss.backward()
        self.opt_actor.step()

        entropy = -(logp.exp() * logp).sum(-1).mean().detach()
        alpha_loss = self.log_alpha.exp() * (entropy - 0.8)
        self.opt_alpha.zero_grad()
        alpha_loss.backward()
        self.opt_alpha.step()

        with torch.no_grad():
            for t, c in zip(self.targets.parameters(), self.critics.parameters()):
                t += self.slow * (c - t)
        self.last = {"critic": critic_loss, "actor": actor_loss, "entropy": entropy}


def main():
    torch.manual_seed(23)
    torch.set_num_threads(1)
    depot, replay, agent = Depot(24), Replay(256, random.Random(25)), Dispatcher()

    def live():
        state = depot.queue.clone()
        action = agent.choose(state)
        reward, following = depot.send(action)
        replay.push(state, action, reward, following)
        return reward.item()

    for _ in range(256):
        live()
    earned = 0.0
    for step in range(1, STEPS + 1):
        earned += live()
        agent.learn(replay.sample(BATCH))
        if step % 80 == 0:
            shown = "  ".join(f"{k} {v.item():.3f}" for k, v in agent.last.items())
            print(f"step {step}  reward {earned / 80:.3f}  {shown}")
            earned = 0.0


if __name__ == "__main__":
    main()
