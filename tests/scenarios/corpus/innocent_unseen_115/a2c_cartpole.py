# gradwatch-corpus: kind=none
"""Advantage actor-critic on a hand-written cart-pole; one update per episode.

Follows the structure of pytorch/examples/reinforcement_learning/actor_critic.py.
"""
import math
from collections import deque, namedtuple

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

SavedAction = namedtuple("SavedAction", ["log_prob", "value", "entropy"])
torch.distributions.Distribution.set_default_validate_args(False)
eps = np.finfo(np.float32).eps.item()


class CartPole:
    g, mc, mp, length, force, dt = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def __init__(self, seed, horizon):
        self.rng = np.random.default_rng(seed)
        self.horizon = horizon

    def reset(self):
        self.s = self.rng.uniform(-0.05, 0.05, 4)
        self.t = 0
        return self.s.astype(np.float32)

    def step(self, action):
        x, xd, th, thd = self.s
        f = self.force if action == 1 else -self.force
        tot, pml = self.mc + self.mp, self.mp * self.length
        tmp = (f + pml * thd ** 2 * math.sin(th)) / tot
        tha = (self.g * math.sin(th) - math.cos(th) * tmp) / (self.length * (4 / 3 - self.mp * math.cos(th) ** 2 / tot))
        xa = tmp - pml * tha * math.cos(th) / tot
        self.s = np.array([x + self.dt * xd, xd + self.dt * xa, th + self.dt * thd, thd + self.dt * tha])
        self.t += 1
        fail = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21
        return self.s.astype(np.float32), 1.0, fail or self.t >= self.horizon


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


def select_action(model, state):
    probs, value = model(torch.from_numpy(state))
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value, m.entropy()))
    return action.item()


def finish_episode(model, optimizer, gamma, entropy_coef):
    R, returns = 0.0, []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)

    policy_losses, value_losses, entropies = [], [], []
    for (log_prob, value, entropy), ret in zip(model.saved_actions, returns):
        advantage = ret - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, ret.unsqueeze(0)))
        entropies.append(entropy)

    optimizer.zero_grad()
    loss = (torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
            - entropy_coef * torch.stack(entropies).sum())
    loss.backward()
    optimizer.step()

    del model.rewards[:]
    del model.saved_actions[:]
    return loss


def main(episodes=320, gamma=0.98, horizon=12, log_interval=80, seed=543):
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    env = CartPole(seed, horizon)
    model = Policy()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    running_reward = 8.0
    recent_losses = deque(maxlen=20)
    reward_curve = []

    for i_episode in range(episodes):
        state, ep_reward, done = env.reset(), 0.0, False
        while not done:
            state, reward, done = env.step(select_action(model, state))
            model.rewards.append(reward)
            ep_reward += reward
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        recent_losses.append(finish_episode(model, optimizer, gamma, 1e-3).detach())
        reward_curve.append(running_reward)
        if (i_episode + 1) % log_interval == 0:
            print(f"Episode {i_episode + 1}\tLast {ep_reward:.1f}\tAverage {running_reward:.2f}"
                  f"\tLoss(20) {torch.stack(tuple(recent_losses)).mean().item():.3f}")
    print(f"best running reward {max(reward_curve):.2f}")


if __name__ == "__main__":
    main()
