# gradwatch-corpus: kind=second-backward
# first-bad: 6
from collections import OrderedDict
from typing import Iterator, List, Tuple

import torch
import torch.nn as nn
import torch.nn.functional as F


class XVector(nn.Module):
    def __init__(self, n_feat: int = 16, width: int = 32, emb: int = 20):
        super().__init__()
        self.tdnn = nn.Sequential(
            nn.Conv1d(n_feat, width, 5), nn.LeakyReLU(0.1),
            nn.Conv1d(width, width, 3, dilation=2), nn.LeakyReLU(0.1),
        )
        self.proj = nn.Linear(2 * width, emb)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        h = self.tdnn(x)
        stats = torch.cat([h.mean(-1), h.std(-1)], -1)
        return F.normalize(self.proj(stats), dim=-1)


class CentroidBank:
    """Latest centroid of each speaker; the least recent ones leave first."""

    def __init__(self, room: int):
        self.room = room
        self.slots: "OrderedDict[int, torch.Tensor]" = OrderedDict()

    def put(self, spk: int, emb: torch.Tensor) -> None:
        self.slots[spk] = F.normalize(emb.mean(0), dim=0)  # <- culprit
        self.slots.move_to_end(spk)
        while len(self.slots) > self.room:
            self.slots.popitem(last=False)

    def impostors(self, exclude: List[int]) -> List[torch.Tensor]:
        return [c for s, c in self.slots.items() if s not in exclude]


def episodes(n_spk: int, per: int, utts: int, seed: int) -> Iterator[Tuple[List[int], torch.Tensor]]:
    g = torch.Generator().manual_seed(seed)
    voices = torch.randn(n_spk, 16, 1, generator=g)
    while True:
        spk = torch.randperm(n_spk, generator=g)[:per].tolist()
        noise = torch.randn(per, utts, 16, 40, generator=g)
        yield spk, voices[spk][:, None] + noise


def angular_loss(emb: torch.Tensor, cents: torch.Tensor, scale: float = 12.0) -> torch.Tensor:
    per, utts, _ = emb.shape
    logits = scale * emb.flatten(0, 1) @ cents.t()
    target = torch.arange(per).repeat_interleave(utts)
    return F.cross_entropy(logits, target)


def main(steps: int = 500, warmup: int = 6) -> None:
    torch.manual_seed(13)
    net, bank = XVector(), CentroidBank(room=12)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    feed = episodes(n_spk=40, per=4, utts=3, seed=13)
    for step in range(steps):
        spk, x = next(feed)
        emb = net(x.flatten(0, 1)).unflatten(0, x.shape[:2])
        support, query = emb[:, :1], emb[:, 1:]
        cents = F.normalize(support.mean(1), dim=-1)
        if step >= warmup:
            others = bank.impostors(exclude=spk)
            if others:
                cents = torch.cat([cents, torch.stack(others)])
        loss = angular_loss(query, cents)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step >= warmup - 1:
            for s, e in zip(spk, emb):
                bank.put(s, e)
        if step % 50 == 0:
            print(f"episode {step:3d} loss {loss.item():.3f} bank {len(bank.slots)}")


if __name__ == "__main__":
    main()
