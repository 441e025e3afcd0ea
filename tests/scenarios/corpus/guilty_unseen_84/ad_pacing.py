# gradwatch-corpus: kind=graph-chain
# holder: self.book.levels | self.book.levels["search"] | bidder.book.levels | bidder.book.levels["search"] | self.levels | self.levels[campaign]
# first-bad: 1
# notice: 5
"""Second-price auction bidder with a smoothed pacing level per campaign."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(1841)

POLICIES = {}


def policy(name):
    def deco(cls):
        POLICIES[name] = cls
        return cls
    return deco


class PacingBook:
    """Smoothed levels: what a campaign is allowed to lean into its bids."""

    def __init__(self, speed=0.15):
        self.speed = speed
        self.levels = {}

    def read(self, campaign, like):
        return self.levels.setdefault(campaign, torch.zeros_like(like))

    def write(self, campaign, level):
        self.levels[campaign] = level  # <- culprit


class PacingMixin:
    def blend(self, campaign):
        current = self.book.read(campaign, self.lean.data)
        return torch.lerp(current, self.lean, self.book.speed)  # <- culprit

    def paced(self, campaign, log_bid, slot):
        level = self.blend(campaign)
        self.book.write(campaign, level)  # <- culprit
        return log_bid + level[slot]


@policy("linear-log")
class LogBidder(PacingMixin, nn.Module):
    def __init__(self, n_feat, n_slots):
        super().__init__()
        self.value = nn.Sequential(nn.Linear(n_feat, 24), nn.SiLU(), nn.Linear(24, 1))
        self.lean = nn.Parameter(torch.zeros(n_slots))
        self.book = PacingBook()

    def forward(self, x, slot, campaign="search"):
        return self.paced(campaign, self.value(x).squeeze(-1), slot)


def auctions(n_rounds, batch, n_feat, n_slots):
    g = torch.Generator().manual_seed(5)
    w = torch.randn(n_feat, generator=g) / math.sqrt(n_feat)
    for r in range(n_rounds):
        x = torch.randn(batch, n_feat, generator=g)
        slot = torch.randint(n_slots, (batch,), generator=g)
        worth = torch.exp(0.5 * (x @ w) + 0.1 * slot)
        rival = torch.exp(0.4 * torch.randn(batch, generator=g) + 0.2 * math.sin(r / 30))
        yield x, slot, worth, rival


def surplus(log_bid, worth, rival, sharp=6.0):
    win = torch.sigmoid(sharp * (log_bid - rival.log()))
    return (win * (worth - rival)).mean(), win.mean()


def train(rounds=260, budget_share=0.45):
    bidder = POLICIES["linear-log"](n_feat=10, n_slots=4)
    opt = torch.optim.Adam(bidder.parameters(), lr=5e-3)
    spent = []
    for r, (x, slot, worth, rival) in enumerate(auctions(rounds, 64, 10, 4)):
        gain, rate = surplus(bidder(x, slot), worth, rival)
        loss = -gain + 2.0 * (rate - budget_share).clamp(min=0) ** 2
        opt.zero_grad()
        loss.backward()
        opt.step()
        spent.append(rate.item())
        if r % 65 == 0:
            print(f"round {r:3d} surplus {gain.item():+.3f} win rate {rate.item():.3f}")
    print("mean win rate", sum(spent) / len(spent))
    return bidder


if __name__ == "__main__":
    train()
