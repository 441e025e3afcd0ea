# gradwatch-corpus: kind=none
"""Splice-site recognition with sharpness-aware minimisation; bad reads are reported, not trained on."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
from torch import Tensor, nn


class BadReads(ValueError):
    def __init__(self, where: int, share: float):
        super().__init__(f"batch {where}: {share:.0%} ambiguous bases")


@dataclass
class Journal:
    rejected: list[BadReads] = field(default_factory=list)
    sharpness: list[float] = field(default_factory=list)
    difficulty: dict[int, Tensor] = field(default_factory=dict)

    def reject(self, err: BadReads) -> None:
        self.rejected.append(err.with_traceback(None))


class SAM:
    def __init__(self, params, rho: float, **kw):
        self.params = list(params)
        self.base = torch.optim.SGD(self.params, **kw)
        self.rho = rho
        self.offset: list[Tensor] = []

    @torch.no_grad()
    def climb(self) -> None:
        norm = torch.stack([p.grad.norm() for p in self.params]).norm() + 1e-12
        self.offset = [p.grad * (self.rho / norm) for p in self.params]
        for p, e in zip(self.params, self.offset):
            p.add_(e)
        self.base.zero_grad()

    @torch.no_grad()
    def descend(self) -> None:
        for p, e in zip(self.params, self.offset):
            p.sub_(e)
        self.base.step()
        self.base.zero_grad()


class SpliceNet(nn.Module):
    def __init__(self, length: int = 20):
        super().__init__()
        self.motif = nn.Conv1d(4, 16, 6)
        self.out = nn.Linear(16 * (length - 5), 1)

    def forward(self, onehot: Tensor) -> Tensor:
        return self.out(torch.relu(self.motif(onehot)).flatten(1)).squeeze(1)


def reads(n: int, length: int, gen: torch.Generator) -> tuple[Tensor, Tensor]:
    seq = torch.randint(0, 4, (n, length), generator=gen)
    y = torch.randint(0, 2, (n,), generator=gen)
    seq[y == 1, 9], seq[y == 1, 10] = 2, 3
    seq = torch.where(torch.rand(n, length, generator=gen) < 0.03, torch.tensor(-1), seq)
    return seq, y.float()


def encode(seq: Tensor, where: int, limit: float = 0.04) -> Tensor:
    unknown = seq < 0
    share = unknown.float().mean().item()
    if share > limit:
        raise BadReads(where, share)
    onehot = nn.functional.one_hot(seq.clamp(min=0), 4).float()
    return onehot.masked_fill(unknown.unsqueeze(-1), 0.25).transpose(1, 2)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(44)
    gen = torch.Generator().manual_seed(44)
    net, journal = SpliceNet(), Journal()
    sam = SAM(net.parameters(), rho=0.05, lr=0.05, momentum=0.9)
    bce = nn.BCEWithLogitsLoss(reduction="none")
    loss = None
    for i in range(130):
        seq, y = reads(24, 20, gen)
        try:
            x = encode(seq, i)
        except BadReads as err:
            journal.reject(err)
            continue
        each = bce(net(x), y)
        each.mean().backward()
        sam.climb()
        loss = bce(net(x), y).mean()
        loss.backward()
        sam.descend()
        journal.sharpness.append((loss - each.mean()).item())
        journal.difficulty[i] = each.detach().max()
    hardest = sorted(journal.difficulty, key=lambda k: -journal.difficulty[k].item())[:3]
    print(f"final {loss.item():.4f} rejected {len(journal.rejected)} hardest {hardest}")
    print(f"sharpness first {journal.sharpness[0]:.4f} last {journal.sharpness[-1]:.4f}")


if __name__ == "__main__":
    main()
