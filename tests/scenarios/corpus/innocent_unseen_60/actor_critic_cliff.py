# gradwatch-corpus: kind=none
"""Actor-critic with shared body on the cliff walk, in the manner of the PyTorch example.

The rollout (log-probabilities, values, rewards, entropies) hangs on the policy until the
episode's update.
"""
import argparse
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)

SavedAction = namedtuple("SavedAction", ["log_prob", "value", "entropy"])


class CliffWalk:
    """3 x 5 grid; start bottom left, goal bottom right, the cells between are the cliff."""

    rows, cols = 3, 5
    moves = [(-1, 0), (0, 1), (1, 0), (0, -1)]

    def __init__(self, limit=16):
        self.limit = limit

    def _obs(self):
        o = torch.zeros(self.rows * self.cols)
        o[self.r * self.cols + self.c] = 1.0
        return o

    def reset(self):
        self.r, self.c, self.t = self.rows - 1, 0, 0
        return self._obs()

    def step(self, a):
        dr, dc = self.moves[a]
        self.r = min(max(self.r + dr, 0), self.rows - 1)
        self.c = min(max(self.c + dc, 0), self.cols - 1)
        self.t += 1
        bottom = self.r == self.rows - 1
        if bottom and self.c == self.cols - 1:
            return self._obs(), 5.0, True
        if bottom and self.c > 0:
            return self._obs(), -2.0, True
        return self._obs(), -0.1, self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, obs, actions, hidden=48):
        super().__init__()
        self.body = nn.Linear(obs, hidden)
        self.action_head = nn.Linear(hidden, actions)
        self.value_head = nn.Linear(hidden, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = torch.tanh(self.body(x))
        return self.action_head(x), self.value_head(x).squeeze(-1)

    def act(self, state):
        logits, value = self(state)
        dist = Categorical(logits=logits)
        action = dist.sample()
        self.saved_actions.append(SavedAction(dist.log_prob(action), value, dist.entropy()))
        return action.item()


def finish_episode(policy, optimizer, gamma, beta):
    """One update with the whole episode, after which the rollout is dropped."""
    R, returns = 0.0, []
    for r in reversed(policy.rewards):
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)

    policy_losses, value_losses, entropies = [], [], []
    for (log_prob, value, entropy), ret in zip(policy.saved_actions, returns):
        advantage = ret - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, ret))
        entropies.append(entropy)
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum() - beta * torch.stack(entropies).sum()

    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(policy.parameters(), 5.0)
    optimizer.step()
    policy.rewards.clear()
    policy.saved_actions.clear()
    return loss


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=120)
    ap.add_argument("--gamma", type=float, default=0.98)
    ap.add_argument("--beta", type=float, default=0.02)
    args = ap.parse_args()
    torch.manual_seed(99)

    env = CliffWalk()
    policy = Policy(env.rows * env.cols, len(env.moves))
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
    recent = deque(maxlen=20)

    for episode in range(args.episodes):
        state, done, total = env.reset(), False, 0.0
        while not done:
            state, reward, done = env.step(policy.act(state))
            policy.rewards.append(reward)
            total += reward
        recent.append(total)
        last_loss = finish_episode(policy, optimizer, args.gamma, args.beta)
        if episode % 20 == 0:
            print(f"episode {episode}\treturn {sum(recent) / len(recent):.2f}\tloss {last_loss.item():.3f}")


if __name__ == "__main__":
    main()
