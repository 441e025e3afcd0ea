# gradwatch-corpus: kind=inplace-modified
# first-bad: 3
"""Building climate control with a delayed deterministic policy gradient."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class HvacEnv:
    def __init__(self):
        self.reset()

    def reset(self):
        self.indoor = 17.0 + random.random() * 6
        self.outdoor = random.uniform(-5, 15)
        return self.observe()

    def observe(self):
        return [self.indoor / 20, self.outdoor / 20, (21 - self.indoor) / 5]

    def step(self, action):
        self.indoor += 0.1 * (self.outdoor - self.indoor) + 2.0 * action
        reward = -abs(21 - self.indoor) / 5 - 0.05 * abs(action)
        return self.observe(), reward


def mlp(sizes, final=None):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), nn.ReLU()]
    layers.pop()
    if final is not None:
        layers.append(final)
    return nn.Sequential(*layers)


class Agent:
    def __init__(self, obs_dim=3, act_dim=1, gamma=0.95, tau=0.02, policy_delay=4):
        self.actor = mlp([obs_dim, 32, 32, act_dim], nn.Tanh())
        self.critic = mlp([obs_dim + act_dim, 48, 48, 1])
        self.actor_target = copy.deepcopy(self.actor)
        self.critic_target = copy.deepcopy(self.critic)
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma = gamma
        self.tau = tau
        self.policy_delay = policy_delay
        self.updates = 0

    @torch.no_grad()
    def act(self, obs, noise=0.2):
        a = self.actor(torch.tensor(obs)).item()
        return max(-1.0, min(1.0, a + random.gauss(0, noise)))

    def update(self, obs, act, rew, nxt):
        self.updates += 1
        update_policy = self.updates % self.policy_delay == 0
        with torch.no_grad():
            next_q = self.critic_target(torch.cat([nxt, self.actor_target(nxt)], 1))
            target = rew + self.gamma * next_q
        critic_loss = F.mse_loss(self.critic(torch.cat([obs, act], 1)), target)
        actor_loss = None
        if update_policy:
            actor_loss = -self.critic(torch.cat([obs, self.actor(obs)], 1)).mean()  # <- culprit
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # <- culprit
        if actor_loss is not None:
            self.actor_opt.zero_grad()
            actor_loss.backward()
            self.actor_opt.step()
            self.soft_update(self.actor, self.actor_target)
            self.soft_update(self.critic, self.critic_target)
        return critic_loss.item()

    @torch.no_grad()
    def soft_update(self, net, target):
        for p, t in zip(net.parameters(), target.parameters()):
            t.lerp_(p, self.tau)


def main():
    random.seed(6)
    torch.manual_seed(6)
    env = HvacEnv()
    agent = Agent()
    memory = deque(maxlen=2000)
    obs = env.reset()
    for t in range(220):
        action = agent.act(obs)
        nxt, reward = env.step(action)
        memory.append((obs, [action], [reward], nxt))
        obs = env.reset() if t % 40 == 39 else nxt
        if len(memory) < 64:
            continue
        sample = random.sample(list(memory), 32)
        batch = [torch.tensor(column) for column in zip(*sample)]
        loss = agent.update(*batch)
        if t % 20 == 0:
            print(f"t={t} critic={loss:.4f}")


if __name__ == "__main__":
    main()
