# gradwatch-corpus: kind=graph-held
# holder: model.entropies | self.entropies
# first-bad: 1
# notice: 8
"""Advantage actor-critic moving a picker cart to a shelf (tiny grid), modelled on the pytorch/examples script."""
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(543)

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])
GAMMA = 0.97
MOVES = torch.tensor([[0, 1], [0, -1], [1, 0], [-1, 0]])


class Warehouse:
    size = 4

    def reset(self):
        self.cart = torch.randint(0, self.size, (2,))
        self.shelf = torch.randint(0, self.size, (2,))
        self.clock = 0
        return self.view()

    def view(self):
        return torch.cat([self.cart, self.shelf, self.shelf - self.cart]).float() / self.size

    def step(self, a):
        before = (self.cart - self.shelf).abs().sum()
        self.cart = (self.cart + MOVES[a]).clamp(0, self.size - 1)
        after = (self.cart - self.shelf).abs().sum()
        self.clock += 1
        done = bool(after == 0) or self.clock >= 8
        return self.view(), float(before - after) + (1.0 if after == 0 else 0.0), done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(6, 24)
        self.action_head = nn.Linear(24, 4)
        self.value_head = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []
        self.entropies = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)


def select_action(state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value))
    model.entropies.append(m.entropy())  # <- culprit
    return action.item()


def finish_episode():
    R, returns = 0.0, []
    for r in model.rewards[::-1]:
        R = r + GAMMA * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, R.view(1)))
    ent = torch.stack(model.entropies[-len(returns):]).mean()
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - 0.01 * ent
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return ent.item()


def main():
    env, running = Warehouse(), 0.0
    for episode in range(300):
        state, done, total = env.reset(), False, 0.0
        while not done:
            state, reward, done = env.step(select_action(state))
            model.rewards.append(reward)
            total += reward
        running = 0.95 * running + 0.05 * total
        ent = finish_episode()
        if episode % 60 == 0:
            print(f"episode {episode} reward {running:.2f} entropy {ent:.3f}")


main()
