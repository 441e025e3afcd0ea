# gradwatch-corpus: kind=none
# Actor-critic on a toy pole. One update per episode.
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(2)
random.seed(2)
torch.set_num_threads(1)

gamma = 0.97
episodes = 180
max_steps = 40


class Pole:
    def reset(self):
        self.angle = random.uniform(-0.05, 0.05)
        self.speed = 0.0
        self.t = 0
        return self.see()

    def see(self):
        return torch.tensor([self.angle, self.speed, math.sin(self.angle)])

    def step(self, push):
        force = 2.0 if push == 1 else -2.0
        self.speed += 0.05 * (9.8 * math.sin(self.angle) - force)
        self.angle += 0.05 * self.speed
        self.t += 1
        done = abs(self.angle) > 0.4 or self.t >= max_steps
        return self.see(), 1.0, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 24)
        self.actor = nn.Linear(24, 2)
        self.critic = nn.Linear(24, 1)
        self.saved = []
        self.rewards = []

    def forward(self, s):
        h = torch.tanh(self.body(s))
        return torch.softmax(self.actor(h), dim=-1), self.critic(h)


env = Pole()
model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
lengths = []
running = 10.0
last_losses = None


def choose(state):
    probs, value = model(state)
    dist = Categorical(probs)
    action = dist.sample()
    model.saved.append((dist.log_prob(action), value, dist.entropy()))
    return action.item()


def learn():
    global last_losses
    R = 0.0
    returns = []
    for r in reversed(model.rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-5)

    policy_losses = []
    value_losses = []
    bonus = 0
    for (log_prob, value, entropy), target in zip(model.saved, returns):
        advantage = target - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, target.view(1)))
        bonus = bonus + entropy

    last_losses = (torch.stack(policy_losses).sum(), torch.stack(value_losses).sum(), bonus)
    loss = last_losses[0] + last_losses[1] - 0.01 * last_losses[2]
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del model.saved[:]
    del model.rewards[:]


for episode in range(episodes):
    state = env.reset()
    done = False
    while not done:
        action = choose(state)
        state, reward, done = env.step(action)
        model.rewards.append(reward)
    lengths.append(len(model.rewards))
    running = 0.95 * running + 0.05 * len(model.rewards)
    learn()
    if episode % 20 == 0:
        print(f"episode {episode} length {lengths[-1]} running {running:.1f} "
              f"policy {last_losses[0].item():.3f} value {last_losses[1].item():.3f}")

print("best episode", max(lengths))
