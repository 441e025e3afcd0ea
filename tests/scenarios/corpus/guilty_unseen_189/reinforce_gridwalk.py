# gradwatch-corpus: kind=graph-held
# holder: archive | archive[-1].log_probs | episode.log_probs
# first-bad: 1
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

torch.manual_seed(543)
GAMMA = 0.95
N_EPISODES = 420
EPS = 1e-6


class Corridor:
    """Walk to the right end of a corridor; the wind sometimes blows you back."""

    def __init__(self, length=6, wind=0.1):
        self.length, self.wind = length, wind

    def reset(self):
        self.pos, self.t = 0, 0
        return self._obs()

    def _obs(self):
        x = torch.zeros(self.length + 1)
        x[self.pos] = 1.0
        x[-1] = self.t / 12
        return x

    def step(self, action):
        move = 1 if action == 1 else -1
        if torch.rand(()) < self.wind:
            move = -1
        self.pos = min(max(self.pos + move, 0), self.length - 1)
        self.t += 1
        goal = self.pos == self.length - 1
        return self._obs(), (1.0 if goal else -0.05), goal or self.t >= 12


class Policy(nn.Module):
    def __init__(self, n_in):
        super().__init__()
        self.affine1 = nn.Linear(n_in, 24)
        self.affine2 = nn.Linear(24, 2)

    def forward(self, x):
        return Categorical(logits=self.affine2(torch.relu(self.affine1(x))))


@dataclass
class Episode:
    number: int
    log_probs: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def returns(self):
        out, R = [], 0.0
        for r in reversed(self.rewards):
            R = r + GAMMA * R
            out.append(R)
        return torch.tensor(out[::-1])

    @property
    def score(self):
        return sum(self.rewards)


def rollout(env, policy, number):
    episode = Episode(number)
    state, done = env.reset(), False
    while not done:
        dist = policy(state)
        action = dist.sample()
        episode.log_probs.append(dist.log_prob(action))
        state, reward, done = env.step(action.item())
        episode.rewards.append(reward)
    return episode


def finish_episode(episode, optimizer):
    returns = episode.returns()
    if len(returns) > 1:
        returns = (returns - returns.mean()) / (returns.std() + EPS)
    policy_loss = -(torch.stack(episode.log_probs) * returns).sum()
    optimizer.zero_grad()
    policy_loss.backward()
    optimizer.step()


def summarise(archive, k=5):
    best = sorted(archive, key=lambda e: e.score, reverse=True)[:k]
    for e in best:
        p = torch.stack(e.log_probs).exp().mean().item()
        print(f"episode {e.number:4d} score {e.score:.2f} mean action prob {p:.2f}")


def main():
    env = Corridor()
    policy = Policy(env.length + 1)
    optimizer = optim.Adam(policy.parameters(), lr=1e-2)
    archive = []
    running = 0.0
    for i in range(N_EPISODES):
        episode = rollout(env, policy, i)
        finish_episode(episode, optimizer)
        archive.append(episode)  # <- culprit
        running = 0.05 * episode.score + 0.95 * running
        if i % 100 == 0:
            print(f"Episode {i}\tlast {episode.score:.2f}\taverage {running:.2f}")
    summarise(archive)


if __name__ == "__main__":
    main()
