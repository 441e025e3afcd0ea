# gradwatch-corpus: kind=second-backward
# holder: buffer.returns | buffer.advantages | buffer.values | self.returns | self.advantages | self.values
# first-bad: 1
# PPO for a room thermostat (heater off / low / high). Single file, adapted from a minimal PPO gist.
import math
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.manual_seed(31)
random.seed(31)
torch.set_num_threads(1)

# hyperparameters
learning_rate = 1e-3
gamma = 0.98
lmbda = 0.95
eps_clip = 0.1
K_epoch = 4
T_horizon = 48
N_updates = 25


class Thermostat:
    def reset(self):
        self.temp = random.uniform(14, 20)
        self.hour = random.uniform(0, 24)
        return self.obs()

    def obs(self):
        outside = 8 + 5 * math.sin(2 * math.pi * (self.hour - 9) / 24)
        self.outside = outside
        return [(self.temp - 20) / 5, (outside - 8) / 5, math.sin(self.hour / 24 * 2 * math.pi)]

    def step(self, action):
        power = [0.0, 0.9, 2.0][action]
        self.temp += power - 0.08 * (self.temp - self.outside) + random.gauss(0, 0.05)
        self.hour = (self.hour + 0.25) % 24
        reward = -abs(self.temp - 20) / 5 - 0.1 * power
        return self.obs(), reward


class PPONet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 64)
        self.fc_pi = nn.Linear(64, 3)
        self.fc_v = nn.Linear(64, 1)

    def pi(self, x):
        return self.fc_pi(torch.tanh(self.fc1(x)))

    def v(self, x):
        return self.fc_v(torch.tanh(self.fc1(x))).squeeze(-1)


class RolloutBuffer:
    def __init__(self):
        self.clear()

    def clear(self):
        self.states = []
        self.actions = []
        self.log_probs = []
        self.rewards = []
        self.values = []
        self.returns = None
        self.advantages = None

    def compute(self, last_value):
        values = torch.stack(self.values + [last_value])
        advantage = 0.0
        advantages = []
        for t in reversed(range(len(self.rewards))):
            delta = self.rewards[t] + gamma * values[t + 1] - values[t]
            advantage = delta + gamma * lmbda * advantage
            advantages.append(advantage)
        advantages.reverse()
        self.advantages = torch.stack(advantages)  # <- culprit
        self.returns = self.advantages + values[:-1]  # <- culprit


def collect(env, net, buffer, s):
    total = 0.0
    for _ in range(T_horizon):
        x = torch.tensor(s, dtype=torch.float32)
        dist = Categorical(logits=net.pi(x))
        a = dist.sample()
        s, r = env.step(a.item())
        buffer.states.append(x)
        buffer.actions.append(a)
        buffer.log_probs.append(dist.log_prob(a).detach())
        buffer.values.append(net.v(x))  # <- culprit
        buffer.rewards.append(r)
        total += r
    with torch.no_grad():
        last = net.v(torch.tensor(s, dtype=torch.float32))
    buffer.compute(last)
    return s, total / T_horizon


def update(net, optimizer, buffer):
    states = torch.stack(buffer.states)
    actions = torch.stack(buffer.actions)
    old_log_probs = torch.stack(buffer.log_probs)
    for _ in range(K_epoch):
        dist = Categorical(logits=net.pi(states))
        ratio = torch.exp(dist.log_prob(actions) - old_log_probs)
        surr1 = ratio * buffer.advantages
        surr2 = torch.clamp(ratio, 1 - eps_clip, 1 + eps_clip) * buffer.advantages
        critic = nn.functional.smooth_l1_loss(net.v(states), buffer.returns)
        loss = -torch.min(surr1, surr2).mean() + 0.5 * critic

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    env = Thermostat()
    net = PPONet()
    optimizer = torch.optim.Adam(net.parameters(), lr=learning_rate)
    buffer = RolloutBuffer()
    s = env.reset()
    for n in range(N_updates):
        s, score = collect(env, net, buffer, s)
        loss = update(net, optimizer, buffer)
        buffer.clear()
        print("# update :{}, avg score : {:.3f}, loss : {:.3f}".format(n, score, loss))


if __name__ == "__main__":
    main()
