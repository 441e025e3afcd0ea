# gradwatch-corpus: kind=none
"""Advantage actor-critic that keeps a pole upright, with a physics step written
by hand; the course's last homework with GAE added."""
import math
import random
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from torch.distributions import Categorical

GAMMA, LAM = 0.98, 0.95
ROLLOUT = 10
UPDATES = 260


class Pole:
    dt = 0.05

    def reset(self):
        self.angle = random.uniform(-0.1, 0.1)
        self.speed = random.uniform(-0.1, 0.1)
        self.t = 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.angle, self.speed])

    def step(self, action):
        push = (-1.0, 0.0, 1.0)[action]
        self.speed += self.dt * (3.0 * math.sin(self.angle) + 4.0 * push)
        self.angle += self.dt * self.speed
        self.t += 1
        fallen = abs(self.angle) > 0.6
        return self.obs(), (0.0 if fallen else 1.0), fallen or self.t >= 120


class ActorCritic(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)

    def forward(self, s):
        h = self.body(s)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


@dataclass
class Rollout:
    log_probs: list = field(default_factory=list)
    values: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    dones: list = field(default_factory=list)

    def add(self, dist, action, value, reward, done):
        self.log_probs.append(dist.log_prob(action))
        self.values.append(value)
        self.entropies.append(dist.entropy())
        self.rewards.append(reward)
        self.dones.append(done)

    def clear(self):
        for column in vars(self).values():
            column.clear()


class Worker:
    def __init__(self, env, net):
        self.env, self.net = env, net
        self.state = env.reset()
        self.ret = 0.0
        self.running_return = None

    def episode_over(self):
        r = self.running_return
        self.running_return = self.ret if r is None else 0.9 * r + 0.1 * self.ret
        self.ret = 0.0
        self.state = self.env.reset()

    def collect(self, rollout, n):
        for _ in range(n):
            dist, value = self.net(self.state)
            action = dist.sample()
            self.state, reward, done = self.env.step(action.item())
            self.ret += reward
            rollout.add(dist, action, value, reward, done)
            if done:
                self.episode_over()
        with torch.no_grad():
            return self.net(self.state)[1].item()


def gae(rollout, last_value):
    values = [v.item() for v in rollout.values] + [last_value]
    adv, out = 0.0, []
    for t in reversed(range(len(rollout.rewards))):
        alive = 0.0 if rollout.dones[t] else 1.0
        delta = rollout.rewards[t] + GAMMA * alive * values[t + 1] - values[t]
        adv = delta + GAMMA * LAM * alive * adv
        out.append(adv)
    return torch.tensor(out[::-1])


def update(net, optimizer, rollout, last_value):
    adv = gae(rollout, last_value)
    values = torch.stack(rollout.values)
    target = adv + values.detach()
    norm = (adv - adv.mean()) / (adv.std() + 1e-6)
    policy = -(torch.stack(rollout.log_probs) * norm).mean()
    critic = nn.functional.smooth_l1_loss(values, target)
    entropy = torch.stack(rollout.entropies).mean()
    loss = policy + 0.5 * critic - 0.01 * entropy
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 0.5)
    optimizer.step()
    rollout.clear()
    return {"policy": policy.item(), "critic": critic.item(), "entropy": entropy.item()}


def main():
    random.seed(6)
    torch.manual_seed(6)
    net = ActorCritic()
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    worker, rollout = Worker(Pole(), net), Rollout()
    log = []
    for n in range(UPDATES):
        last_value = worker.collect(rollout, ROLLOUT)
        log.append(update(net, optimizer, rollout, last_value))
        if n % 65 == 64:
            shown = " ".join(f"{k} {v:.3f}" for k, v in log[-1].items())
            print(f"update {n + 1}: {shown} return {worker.running_return or 0:.1f}")


if __name__ == "__main__":
    main()
