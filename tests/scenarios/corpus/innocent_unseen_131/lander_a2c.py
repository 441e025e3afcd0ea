# gradwatch-corpus: kind=none
import random
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

random.seed(21); torch.manual_seed(21)


class ToyLander:
    def reset(self):
        self.h, self.v, self.n = 5.0 + random.random(), 0.0, 0
        return torch.tensor([self.h, self.v])

    def step(self, thrust):
        self.v += 0.3 * thrust - 0.2
        self.h += 0.5 * self.v
        self.n += 1
        done = self.h <= 0 or self.n == 18
        r = -abs(self.v) if self.h <= 0 else (-3.0 if done else -0.02 * thrust)
        return torch.tensor([self.h, self.v]), r, done


class ActorCritic(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine = nn.Linear(2, 24)
        self.action_head, self.value_head = nn.Linear(24, 2), nn.Linear(24, 1)
        self.saved_actions, self.rewards, self.entropies = [], [], []

    def forward(self, x):
        x = F.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = ActorCritic()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
env = ToyLander()


def select_action(state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append((m.log_prob(action), value))
    model.entropies.append(m.entropy())
    return action.item()


def finish_episode():
    R, policy_losses, value_losses, returns = 0, [], [], []
    for r in model.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([float(R)])))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - 0.01 * torch.stack(model.entropies).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    del model.entropies[:]


running_reward = -3
for i_episode in range(420):
    state, ep_reward, done = env.reset(), 0, False
    while not done:
        state, reward, done = env.step(select_action(state))
        model.rewards.append(reward)
        ep_reward += reward
    running_reward = 0.05 * ep_reward + 0.95 * running_reward
    finish_episode()
    if i_episode % 100 == 0:
        print(f"Episode {i_episode}\tAverage reward: {running_reward:.2f}")
