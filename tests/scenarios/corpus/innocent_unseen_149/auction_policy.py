# gradwatch-corpus: kind=none
"""Bidding at a fish auction: REINFORCE over whole evenings, with a warm-up for the scale of prices."""
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(64)


@dataclass
class Evening:
    logps: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    gains: list = field(default_factory=list)

    def returns(self, gamma=0.9):
        out, g = [], 0.0
        for gain in reversed(self.gains):
            g = gain + gamma * g
            out.append(g)
        return torch.tensor(out[::-1])

    def clear(self):
        for items in (self.logps, self.entropies, self.gains):
            items.clear()


class Bidder(nn.Module):
    def __init__(self, bids=5):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, bids))
        self.samples, self.mean, self.std = [], None, None
        self.baseline = 0.0

    def normalise(self, obs, warm=150):
        if self.mean is None:
            self.samples.append(obs)
            if len(self.samples) == warm:
                seen = torch.stack(self.samples)
                self.mean, self.std = seen.mean(0), seen.std(0) + 1e-3
                self.samples = []
            return obs
        return (obs - self.mean) / self.std

    def forward(self, obs):
        return torch.distributions.Categorical(logits=self.net(self.normalise(obs)))


def auction(lots=10):
    purse = 10.0
    for _ in range(lots):
        worth = 1 + 4 * torch.rand(())
        obs = torch.stack([worth, torch.tensor(purse), torch.rand(())])
        bid = yield obs
        price = 0.8 * float(worth) * (0.7 + 0.6 * float(torch.rand(())))
        won = bid >= price and bid <= purse
        purse -= bid if won else 0.0
        yield float(worth) - bid if won else 0.0


def main():
    bidder, evening = Bidder(), Evening()
    opt = torch.optim.Adam(bidder.parameters(), lr=5e-3)
    takings = []
    for n in range(1, 101):
        floor = auction()
        for obs in floor:
            dist = bidder(obs)
            bid = dist.sample()
            evening.logps.append(dist.log_prob(bid))
            evening.entropies.append(dist.entropy())
            evening.gains.append(floor.send(1.0 + float(bid)))
        returns = evening.returns()
        advantage = returns - bidder.baseline
        bidder.baseline = 0.9 * bidder.baseline + 0.1 * returns.mean().item()
        loss = -(torch.stack(evening.logps) * advantage).mean() - 0.01 * torch.stack(evening.entropies).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        takings.append(sum(evening.gains))
        evening.clear()
        if n % 25 == 0:
            print(f"evening {n}: gain {sum(takings[-25:]) / 25:.2f}, baseline {bidder.baseline:.2f}")


main()
