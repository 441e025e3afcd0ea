# gradwatch-corpus: kind=none
"""Language-like next symbol model; the batch is made larger in stages in place of a lower rate."""
import bisect

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)


class BatchStages:
    """The stage's size for an update, and buffers of that size which are used again."""

    def __init__(self, marks, sizes, length):
        self.marks, self.sizes, self.length = marks, sizes, length
        self.block = torch.empty(0, length + 1, dtype=torch.long)

    def size(self, update):
        return self.sizes[bisect.bisect_right(self.marks, update)]

    def fill(self, update, text, gen):
        size = self.size(update)
        if len(self.block) != size:
            self.block = torch.empty(size, self.length + 1, dtype=torch.long)
        starts = torch.randint(0, len(text) - self.length - 1, (size,), generator=gen)
        torch.take(text, starts[:, None] + torch.arange(self.length + 1), out=self.block)
        return self.block[:, :-1], self.block[:, 1:]


class Mixer(nn.Module):
    def __init__(self, vocab, length, width=48):
        super().__init__()
        self.emb = nn.Embedding(vocab, width)
        self.mix = nn.Parameter(torch.randn(length, length) * 0.02)
        self.register_buffer("past", torch.tril(torch.ones(length, length)))
        self.ff = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(),
                                nn.Linear(2 * width, width))
        self.out = nn.Linear(width, vocab)

    def forward(self, ids):
        h = self.emb(ids)
        h = h + (self.mix * self.past) @ h
        h = h + self.ff(h)
        return self.out(h)


def synthetic_text(count, vocab, gen):
    table = torch.rand(vocab, vocab, generator=gen).pow(6)
    table = table / table.sum(1, keepdim=True)
    ids = [0]
    noise = torch.rand(count, generator=gen).tolist()
    edges = [row.cumsum(0).tolist() for row in table]
    for u in noise:
        ids.append(min(vocab - 1, bisect.bisect(edges[ids[-1]], u)))
    return torch.tensor(ids)


def main(updates=150, vocab=32, length=32):
    gen = torch.Generator().manual_seed(18)
    text = synthetic_text(20000, vocab, gen)
    stages = BatchStages(marks=[15, 30, 45, 60], sizes=[16, 40, 64, 96, 128], length=length)
    net = Mixer(vocab, length)
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    tokens = 0
    for update in range(updates):
        x, y = stages.fill(update, text, gen)
        loss = nn.functional.cross_entropy(net(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        tokens += x.numel()
        if update % 15 == 0:
            print(f"update {update} batch {len(x)} tokens {tokens} loss {loss.item():.3f}")


if __name__ == "__main__":
    main()
