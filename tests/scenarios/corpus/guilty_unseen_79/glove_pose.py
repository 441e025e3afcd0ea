# gradwatch-corpus: kind=inplace-modified
# holder: z | codes | loss
# first-bad: 12
# notice: 0
"""Fingerspelling from hand landmarks; left hands are brought to the right-hand frame in code space."""
import argparse
import itertools
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

LETTERS = 12
JOINTS = 21
HANDEDNESS = {"right": 0, "left": 1}


@dataclass
class Session:
    """One recording day: everybody who signed, in the order they came."""
    signers: list = field(default_factory=list)
    clips_each: int = 96

    def roster(self):
        for signer, hand in self.signers:
            yield signer, HANDEDNESS[hand]


def letter_shapes(seed):
    g = torch.Generator().manual_seed(seed)
    return torch.randn(LETTERS, JOINTS, 3, generator=g)


def clips(session, shapes, batch, seed):
    g = torch.Generator().manual_seed(seed)
    for signer, left in session.roster():
        span = 0.9 + 0.05 * signer
        for _ in range(session.clips_each // batch):
            y = torch.randint(0, LETTERS, (batch,), generator=g)
            x = span * shapes[y] + 0.4 * torch.randn(batch, JOINTS, 3, generator=g)
            hand = torch.full((batch,), left)
            if left:
                x = x * torch.tensor([-1.0, 1.0, 1.0])
                hand[torch.rand(batch, generator=g) < 0.1] = 0  # tracker mislabels some
            yield x, y, hand


class LandmarkCoder(nn.Module):
    """Joint-wise code in (-1, 1); the first half of the channels is odd under mirroring."""

    def __init__(self, dim=8):
        super().__init__()
        self.lift = nn.Linear(3, 24)
        self.code = nn.Linear(24, dim)
        self.odd = dim // 2

    def forward(self, x):
        wrist = x[:, :1]
        return torch.tanh(self.code(F.silu(self.lift(x - wrist))))


class ToRightHand(nn.Module):
    def __init__(self, odd):
        super().__init__()
        self.odd = odd

    def forward(self, z, hand):
        rows = torch.argwhere(hand == HANDEDNESS["left"]).flatten()
        if rows.numel():
            mirrored = z[rows]
            mirrored = torch.cat([-mirrored[..., : self.odd], mirrored[..., self.odd:]], dim=-1)
            z.index_copy_(0, rows, mirrored)  # <- culprit
        return z


class Speller(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.coder = LandmarkCoder(dim)
        self.frame = ToRightHand(self.coder.odd)
        self.read = nn.Sequential(nn.Flatten(), nn.Linear(JOINTS * dim, 48), nn.ReLU(), nn.Linear(48, LETTERS))

    def forward(self, x, hand):
        codes = self.coder(x)
        return self.read(self.frame(codes, hand))


def run(args):
    torch.manual_seed(args.seed)
    day = Session([(0, "right"), (1, "right"), (2, "right"), (3, "left"), (4, "right"),
                   (5, "left"), (6, "right"), (7, "right"), (8, "left"), (9, "right"),
                   (10, "right"), (11, "right")])
    net = Speller()
    opt = torch.optim.NAdam(net.parameters(), lr=args.lr)
    stream = clips(day, letter_shapes(args.seed), args.batch, args.seed + 1)
    hits = seen = 0
    for step, (x, y, hand) in zip(itertools.count(), stream):
        logits = net(x, hand)
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        hits += (logits.argmax(1) == y).sum().item()
        seen += len(y)
        if step % 8 == 0:
            print(f"clip batch {step:3d} loss {loss.item():.3f} acc {hits / seen:.2f}")
    print(f"done, accuracy over the day {hits / seen:.3f}")


if __name__ == "__main__":
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--batch", type=int, default=24)
    p.add_argument("--lr", type=float, default=3e-3)
    p.add_argument("--seed", type=int, default=31)
    run(p.parse_args())
