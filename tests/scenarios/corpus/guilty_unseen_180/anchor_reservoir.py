# gradwatch-corpus: kind=graph-chain
# holder: self.items | anchors.items
# first-bad: 1
"""Metric learning on hashed text; embeddings are pulled apart from a pool of earlier anchors."""
from typing import Generic, List, TypeVar

import torch
import torch.nn.functional as F
from torch import nn

T = TypeVar("T")


class Pool(Generic[T]):
    def __init__(self) -> None:
        self.items: List[T] = []

    def add(self, item: T) -> None:
        self.items.append(item)  # <- culprit

    def __iter__(self):
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class HashEncoder(nn.Module):
    def __init__(self, buckets: int, dim: int) -> None:
        super().__init__()
        self.table = nn.EmbeddingBag(buckets, dim, mode="sum")

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        return torch.tanh(self.table(tokens))


def triplets(gen: torch.Generator, topics: torch.Tensor, n: int = 10, length: int = 6):
    k = topics.size(0)
    pos = torch.randint(0, k, (n,), generator=gen)
    neg = (pos + torch.randint(1, k, (n,), generator=gen)) % k
    draw = lambda t: torch.multinomial(topics[t], length, replacement=True, generator=gen)
    return draw(pos), draw(pos), draw(neg)


def repulsion(z: torch.Tensor, anchors: Pool) -> torch.Tensor:
    if len(anchors) == 0:
        return z.new_zeros(())
    bank = torch.stack(list(anchors))
    return (z @ bank.t() / z.size(1)).pow(2).mean()


def main() -> None:
    torch.manual_seed(109)
    gen = torch.Generator().manual_seed(109)
    topics = torch.softmax(2 * torch.randn(6, 80, generator=gen), dim=-1)
    enc = HashEncoder(80, 10)
    nn.init.normal_(enc.table.weight, std=0.2)
    opt = torch.optim.SGD(enc.parameters(), lr=0.1)
    anchors: Pool[torch.Tensor] = Pool()
    smooth = 0.0
    for it in range(420):
        a, p, n = triplets(gen, topics)
        za, zp, zn = enc(a), enc(p), enc(n)
        triplet = F.triplet_margin_loss(za, zp, zn, margin=1.0)
        loss = triplet + 0.1 * repulsion(za, anchors)
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        anchors.add(za[0])  # <- culprit
        smooth = 0.97 * smooth + 0.03 * loss.item()
        if (it + 1) % 70 == 0:
            with torch.no_grad():
                acc = ((za - zp).norm(dim=1) < (za - zn).norm(dim=1)).float().mean().item()
            print(f"{it + 1} loss {smooth:.4f} triplet acc {acc:.2f} anchors {len(anchors)}")


if __name__ == "__main__":
    main()
