# gradwatch-corpus: kind=second-backward
# holder: policy.saved_log_probs | self.policy.saved_log_probs | self.saved_log_probs | agent.policy.saved_log_probs
# first-bad: 1
"""REINFORCE on a small wind corridor, after the pytorch/examples script."""
import argparse
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

torch.set_num_threads(1)


class Corridor:
    """Walk to the right end; wind pushes back."""

    def __init__(self, length=6, seed=0):
        self.length = length
        self.rng = np.random.default_rng(seed)

    def _obs(self):
        v = np.zeros(self.length + 1, dtype=np.float32)
        v[self.pos] = 1.0
        v[-1] = self.t / 30
        return v

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if self.rng.random() < 0.15:
            move = -1
        self.pos = int(np.clip(self.pos + move, 0, self.length - 1))
        done = self.pos == self.length - 1
        return self._obs(), (1.0 if done else -0.02), done or self.t >= 30


class Policy(nn.Module):
    def __init__(self, n_obs, n_act=2):
        super().__init__()
        self.affine1 = nn.Linear(n_obs, 32)
        self.dropout = nn.Dropout(p=0.2)
        self.affine2 = nn.Linear(32, n_act)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.dropout(self.affine1(x)))
        return F.softmax(self.affine2(x), dim=1)


class Agent:
    def __init__(self, env, gamma, lr):
        self.env = env
        self.gamma = gamma
        self.policy = Policy(env.length + 1)
        self.optimizer = optim.Adam(self.policy.parameters(), lr=lr)
        self.eps = np.finfo(np.float32).eps.item()

    def select_action(self, state):
        state = torch.from_numpy(state).float().unsqueeze(0)
        m = Categorical(self.policy(state))
        action = m.sample()
        self.policy.saved_log_probs.append(m.log_prob(action))  # <- culprit
        return action.item()

    def discounted(self):
        R, returns = 0.0, []
        for r in self.policy.rewards[::-1]:
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        return (returns - returns.mean()) / (returns.std() + self.eps)

    def finish_episode(self):
        policy_loss = []
        for log_prob, R in zip(self.policy.saved_log_probs, self.discounted()):
            policy_loss.append(-log_prob * R)
        self.optimizer.zero_grad()
        loss = torch.cat(policy_loss).sum()
        loss.backward()
        self.optimizer.step()
        del self.policy.rewards[:]  # <- culprit
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--gamma", type=float, default=0.97)
    ap.add_argument("--seed", type=int, default=543)
    ap.add_argument("--episodes", type=int, default=80)
    ap.add_argument("--log-interval", type=int, default=10)
    args = ap.parse_args()
    torch.manual_seed(args.seed)
    agent = Agent(Corridor(seed=args.seed), args.gamma, lr=1e-2)
    running = None
    for ep in range(args.episodes):
        state, total = agent.env.reset(), 0.0
        for t in count(1):
            action = agent.select_action(state)
            state, reward, done = agent.env.step(action)
            agent.policy.rewards.append(reward)
            total += reward
            if done:
                break
        running = total if running is None else 0.05 * total + 0.95 * running
        loss = agent.finish_episode()
        if ep % args.log_interval == 0:
            print(f"Episode {ep}\tLast reward: {total:.2f}\tAverage: {running:.2f}\tloss {loss:.3f}\tlen {t}")


if __name__ == "__main__":
    main()
