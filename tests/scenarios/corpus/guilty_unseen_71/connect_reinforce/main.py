# gradwatch-corpus: kind=inplace-modified
# holder: self.board | env.board | game.board | planes | obs | loss | logits | logp
# first-bad: 0
# notice: 0
"""REINFORCE with a value baseline for a small drop-the-stone game against a random opponent."""
import random

import torch
import torch.nn.functional as F
from torch import nn

from game import DropFour


class PolicyValue(nn.Module):
    def __init__(self, cells, cols, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(cells, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, cols)
        self.value = nn.Linear(width, 1)

    def forward(self, planes):
        h = self.trunk(planes.flatten(1))
        return self.policy(h), self.value(h).squeeze(-1)


def play(net, game, rng):
    """One game; returns log-probabilities, values and the final result."""
    obs, logps, values, entropy = game.reset(), [], [], []
    while not game.over:
        logits, value = net(obs)
        logits = logits.masked_fill(~game.legal(), -1e9)
        dist = torch.distributions.Categorical(logits=logits)
        move = dist.sample()
        logps.append(dist.log_prob(move))
        values.append(value)
        entropy.append(dist.entropy())
        obs = game.play(int(move))
        if not game.over:
            obs = game.play(rng.choice(game.legal().nonzero().flatten().tolist()))
    return torch.cat(logps), torch.cat(values), torch.cat(entropy), game.result


def main(games=200, gamma=0.97):
    torch.set_num_threads(1)
    torch.manual_seed(14)
    rng = random.Random(14)
    game = DropFour(rows=4, cols=5, need=3)
    net = PolicyValue(2 * 4 * 5, 5)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    wins = 0.0
    for k in range(games):
        logp, value, entropy, result = play(net, game, rng)
        powers = torch.arange(len(logp) - 1, -1, -1).float()
        target = result * gamma ** powers
        advantage = target - value.detach()
        loss = -(logp * advantage).mean() + 0.5 * F.mse_loss(value, target) - 0.01 * entropy.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        wins = 0.95 * wins + 0.05 * (result > 0)
        if k % 25 == 24:
            print(f"game {k + 1}: moving win rate {wins:.2f}")


if __name__ == "__main__":
    main()
