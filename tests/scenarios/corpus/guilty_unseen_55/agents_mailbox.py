# gradwatch-corpus: kind=graph-chain
# holder: self.inbox | self.inbox.data | team.inbox | team.inbox.data | self.data | self.data[who]
# first-bad: 1
"""Cooperative agents that learn what to broadcast to each other."""
from collections import UserDict

import torch
import torch.nn as nn
import torch.nn.functional as F


class Mailbox(UserDict):
    """Last word heard by each agent; fades in with `rate`."""

    def __init__(self, width, rate=0.3):
        self.width = width
        self.rate = rate
        super().__init__()

    def __missing__(self, who):
        return torch.zeros(self.width)

    def __setitem__(self, who, msg):
        self.data[who] = torch.lerp(self[who], msg, self.rate)  # <- culprit

    def rows(self, n):
        return torch.stack([self[i] for i in range(n)])


class Team(nn.Module):
    def __init__(self, n_agents, obs, n_actions, width=8):
        super().__init__()
        self.n = n_agents
        self.voice = nn.Parameter(0.1 * torch.randn(n_agents, width))
        self.policy = nn.Sequential(nn.Linear(obs + width, 40), nn.ReLU(), nn.Linear(40, n_actions))
        self.inbox = Mailbox(width)

    def broadcast(self, listeners):
        for src, dst in listeners:
            self.inbox[dst] = self.voice[src]  # <- culprit

    def forward(self, obs):
        # obs: (agents, batch, features)
        heard = self.inbox.rows(self.n).unsqueeze(1).expand(-1, obs.shape[1], -1)
        return self.policy(torch.cat([obs, heard], dim=-1))


class MatchingGame:
    """Every agent must pick the action that its left neighbour's cue asks for."""

    def __init__(self, n_agents, obs, n_actions, batch):
        self.shape = (n_agents, batch, obs)
        self.key = torch.randn(n_agents, obs, n_actions)

    def draw(self):
        obs = torch.randn(self.shape)
        want = torch.einsum("abf,afk->abk", obs, self.key).argmax(-1)
        return obs, want

    @staticmethod
    def ring(n, step):
        shift = 1 + step % (n - 1)
        return [(i, (i + shift) % n) for i in range(n)]


def play(team, game, opt, episodes):
    reward = 0.0
    for ep in range(episodes):
        obs, want = game.draw()
        team.broadcast(game.ring(team.n, ep))
        logits = team(obs)
        loss = F.cross_entropy(logits.flatten(0, 1), want.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        hit = (logits.detach().argmax(-1) == want).float().mean().item()
        reward = 0.9 * reward + 0.1 * hit
        if ep % 20 == 19:
            print(f"episode {ep + 1}: loss {loss.item():.3f}, reward {reward:.3f}")
    return reward


def main():
    torch.manual_seed(0)
    game = MatchingGame(n_agents=5, obs=10, n_actions=4, batch=32)
    team = Team(5, 10, 4)
    opt = torch.optim.AdamW(team.parameters(), lr=4e-3)
    final = play(team, game, opt, episodes=100)
    print("done, running reward", round(final, 3))


main()
