# gradwatch-corpus: kind=none
"""Learning bidding functions for a first-price sealed auction by soft allocation."""
import torch
import torch.nn as nn


class Ledger:
    def __init__(self, depth, entries=()):
        self.depth = depth
        self.entries = tuple(entries)

    def __add__(self, other):
        merged = self.entries + tuple(other)
        return Ledger(self.depth, merged[max(0, len(merged) - self.depth):])

    def __iadd__(self, other):
        self.entries = (self + other).entries
        return self

    def __len__(self):
        return len(self.entries)

    def revenue(self):
        return sum(pay.sum(-1).mean().item() for pay, _ in self.entries) / max(len(self), 1)

    def shading(self):
        ratios = [(bid / value.clamp(min=0.05)).mean().item() for _, (bid, value) in self.entries]
        return sum(ratios) / max(len(ratios), 1)


class Bidder(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.l1 = nn.Linear(2, hidden)
        self.l2 = nn.Linear(hidden, 1)

    def forward(self, value, rivals):
        x = torch.stack([value, rivals.expand_as(value)], -1)
        return value * torch.sigmoid(self.l2(torch.tanh(self.l1(x)))).squeeze(-1)


def auction(bids, temp):
    share = torch.softmax(bids / temp, -1)
    return share, share * bids


def draw_values(gen, rounds, players):
    values = torch.rand(rounds, players, generator=gen)
    return values.sqrt() if players > 3 else values


def main():
    torch.manual_seed(8)
    gen = torch.Generator().manual_seed(80)
    bidder = Bidder()
    opt = torch.optim.RMSprop(bidder.parameters(), lr=2e-3)
    ledgers = {2: Ledger(10), 3: Ledger(10), 5: Ledger(6)}

    for it in range(520):
        players = (2, 3, 5)[it % 3]
        values = draw_values(gen, 48, players)
        rivals = torch.tensor(float(players - 1))
        mine = bidder(values[:, :1], rivals)
        with torch.no_grad():
            others = bidder(values[:, 1:], rivals)
        bids = torch.cat([mine, others], 1)
        temp = max(0.02, 0.1 * 0.995 ** it)
        share, pay = auction(bids, temp)
        utility = (share[:, 0] * (values[:, 0] - mine[:, 0])).mean()
        loss = -utility
        opt.zero_grad()
        loss.backward()
        opt.step()

        ledger = ledgers[players]
        ledger += [(pay, (mine, values[:, :1]))]
        if it % 90 == 0:
            report = ", ".join(f"{k}: {v.revenue():.3f}/{v.shading():.2f}" for k, v in ledgers.items() if len(v))
            print(f"{it:4d} utility {utility.item():.4f} | {report}")


if __name__ == "__main__":
    main()
