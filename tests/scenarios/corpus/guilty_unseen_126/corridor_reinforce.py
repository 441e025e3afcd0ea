# gradwatch-corpus: kind=graph-held
# holder: policy.entropies | policy
# first-bad: 1
# notice: 8
import random
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(0)
random.seed(0)


class Corridor:
    def reset(self):
        self.pos, self.t = random.randint(2, 6), 0
        return self._obs()

    def _obs(self):
        return F.one_hot(torch.tensor(self.pos), 9).float()

    def step(self, a):
        self.pos += 1 if a == 1 else -1
        self.t += 1
        done = self.pos in (0, 8) or self.t >= 12
        return self._obs(), (1.0 if self.pos == 8 else -0.05), done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(9, 16)
        self.affine2 = nn.Linear(16, 2)
        self.saved_log_probs = []
        self.rewards = []
        self.entropies = []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.affine1(x))), dim=-1)


policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)


def select_action(state):
    m = Categorical(policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    policy.entropies.append(m.entropy())  # <- culprit
    return action.item()


def finish_episode():
    R, returns = 0, []
    for r in reversed(policy.rewards):
        R = r + 0.95 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = returns - returns.mean()
    loss = sum(-lp * r for lp, r in zip(policy.saved_log_probs, returns))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]  # <- culprit


env = Corridor()
for episode in range(260):
    s, done, total = env.reset(), False, 0.0
    while not done:
        s, r, done = env.step(select_action(s))
        policy.rewards.append(r)
        total += r
    finish_episode()
    if episode % 50 == 0:
        recent = policy.entropies[-10:]
        print(episode, round(total, 2), "H", sum(e.item() for e in recent) / len(recent))
