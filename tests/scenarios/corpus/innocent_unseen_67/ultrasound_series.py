# gradwatch-corpus: kind=none
"""Estimate lesion size from ultrasound series of varying length.

A patient's series is scored picture by picture; one optimizer step is made for
every few patients.
"""
import argparse
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)


@dataclass
class LossLedger:
    """Sums up what was scored and settles the account on demand."""

    total: torch.Tensor | float = 0.0
    scored: int = 0
    settled: list[float] = field(default_factory=list)

    def __iadd__(self, loss):
        self.total = self.total + loss
        self.scored += 1
        return self

    @property
    def total_loss(self):
        return self.total / self.scored

    def settle(self, optimizer):
        optimizer.zero_grad()
        total_loss = self.total_loss
        total_loss.backward()
        optimizer.step()
        self.settled.append(total_loss.item())
        self.total, self.scored = 0.0, 0


class SizeNet(nn.Module):
    def __init__(self, side=12, width=6):
        super().__init__()
        self.conv = nn.Conv2d(1, width, 3, stride=2, padding=1)
        self.conv2 = nn.Conv2d(width, width * 2, 3, stride=2, padding=1)
        self.out = nn.Linear(width * 2, 1)

    def forward(self, picture):
        h = F.relu(self.conv(picture))
        h = F.relu(self.conv2(h)).mean((2, 3))
        return self.out(h).squeeze(-1)


class Ward:
    def __init__(self, side, gen):
        self.side, self.gen = side, gen
        ax = torch.arange(side).float() - side / 2
        self.r2 = ax[:, None] ** 2 + ax[None, :] ** 2

    def series(self):
        """Pictures of one patient, the lesion growing a little each time."""
        n = int(torch.randint(2, 5, (), generator=self.gen))
        size = torch.rand((), generator=self.gen) * 0.6 + 0.2
        for _ in range(n):
            radius = size * self.side / 2
            disc = (self.r2 < radius ** 2).float()
            speckle = 0.3 * torch.randn(self.side, self.side, generator=self.gen)
            yield (disc + speckle)[None, None], size[None]
            size = (size * 1.05).clamp(max=1.0)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--patients", type=int, default=600)
    ap.add_argument("--group", type=int, default=3)
    ap.add_argument("--side", type=int, default=12)
    args = ap.parse_args()
    torch.manual_seed(19)
    ward = Ward(args.side, torch.Generator().manual_seed(19))
    net = SizeNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=3e-3)
    ledger = LossLedger()
    for patient in range(1, args.patients + 1):
        previous = None
        for picture, size in ward.series():
            guess = net(picture)
            ledger += F.smooth_l1_loss(guess, size, beta=0.1)
            if previous is not None:
                ledger += 0.1 * F.relu(previous - guess).sum()
            previous = guess
        if patient % args.group == 0:
            ledger.settle(optimizer)
        if patient % 150 == 0:
            recent = ledger.settled[-40:]
            print(f"{patient} patients, {len(ledger.settled)} steps, loss {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()
