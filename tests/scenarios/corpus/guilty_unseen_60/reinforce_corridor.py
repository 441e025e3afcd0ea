# gradwatch-corpus: kind=graph-held
# holder: policy.entropies | self.entropies
# first-bad: 1
# notice: 8
"""REINFORCE with a moving baseline, on a corridor where the agent must find the door.

Structure as in pytorch/examples/reinforcement_learning/reinforce.py
"""
import argparse
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser(description="REINFORCE on a corridor")
parser.add_argument("--gamma", type=float, default=0.97)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=110)
parser.add_argument("--log-interval", type=int, default=10)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)


class Corridor:
    """Cells 0..n-1, start in the middle; the door's side is shown in the observation."""

    def __init__(self, n=9, limit=30, seed=0):
        self.n, self.limit = n, limit
        self.rng = np.random.default_rng(seed)

    def _obs(self):
        one_hot = np.zeros(self.n + 1, dtype=np.float32)
        one_hot[self.pos] = 1.0
        one_hot[-1] = self.side
        return one_hot

    def reset(self):
        self.pos, self.t = self.n // 2, 0
        self.side = self.rng.choice([-1.0, 1.0])
        return self._obs()

    def step(self, action):
        self.pos += 1 if action == 1 else -1
        self.t += 1
        at_end = self.pos in (0, self.n - 1)
        found = at_end and ((self.pos == 0) == (self.side < 0))
        reward = 1.0 if found else (-1.0 if at_end else -0.02)
        return self._obs(), reward, at_end or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, obs_dim, hidden=32):
        super().__init__()
        self.affine1 = nn.Linear(obs_dim, hidden)
        self.dropout = nn.Dropout(p=0.1)
        self.affine2 = nn.Linear(hidden, 2)

        self.saved_log_probs = []
        self.rewards = []
        self.entropies = []

    def forward(self, x):
        x = torch.relu(self.dropout(self.affine1(x)))
        return self.affine2(x)


env = Corridor(seed=args.seed)
policy = Policy(obs_dim=env.n + 1)
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
eps = np.finfo(np.float32).eps.item()


def select_action(state):
    dist = Categorical(logits=policy(torch.from_numpy(state).unsqueeze(0)))
    action = dist.sample()
    policy.saved_log_probs.append(dist.log_prob(action))
    policy.entropies.append(dist.entropy())  # <- culprit
    return action.item()


def finish_episode():
    R = 0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps) if len(returns) > 1 else returns
    policy_loss = torch.cat([-lp * ret for lp, ret in zip(policy.saved_log_probs, returns)]).sum()
    bonus = torch.cat(policy.entropies[-len(returns):]).mean()
    optimizer.zero_grad()
    (policy_loss - 0.01 * bonus).backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    return bonus.item()


def main():
    running_reward = 0.0
    for i_episode in range(args.episodes):
        state, ep_reward = env.reset(), 0.0
        for t in count():
            action = select_action(state)
            state, reward, done = env.step(action)
            policy.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        entropy = finish_episode()
        if i_episode % args.log_interval == 0:
            print(f"Episode {i_episode}\tlength {t + 1}\treward {running_reward:.2f}\tentropy {entropy:.3f}")


if __name__ == "__main__":
    main()
