# gradwatch-corpus: kind=none
"""Memory-token transformer trained through chapters of several segments."""
import itertools
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Args:
    vocab: int = 24
    width: int = 32
    seg: int = 10
    span: int = 4
    lanes: int = 8
    slots: int = 3
    chapters: int = 70
    lr: float = 3e-3


class MemoryReader(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.a = a
        self.embed = nn.Embedding(a.vocab, a.width)
        self.place = nn.Parameter(0.02 * torch.randn(a.seg, a.width))
        self.start = nn.Parameter(0.02 * torch.randn(a.slots, a.width))
        self.layer = nn.TransformerEncoderLayer(a.width, 2, 2 * a.width, dropout=0.0,
                                                batch_first=True, norm_first=True)
        self.gate = nn.Linear(2 * a.width, a.width)
        self.head = nn.Linear(a.width, a.vocab)
        n = a.seg + a.slots
        mask = torch.triu(torch.ones(n, n, dtype=torch.bool), 1)
        mask[:, :a.slots] = False
        self.register_buffer("mask", mask)

    def begin(self):
        return self.start.unsqueeze(0).repeat(self.a.lanes, 1, 1)

    def forward(self, ids, memory):
        x = torch.cat([memory, self.embed(ids) + self.place], 1)
        y = self.layer(x, src_mask=self.mask)
        summary = y[:, -1:].expand_as(memory)
        g = torch.sigmoid(self.gate(torch.cat([memory, summary], -1)))
        return self.head(y[:, self.a.slots:]), g * memory + (1 - g) * torch.tanh(summary)


class Reader:
    """Holds the memory between chapters; the loss runs over one chapter."""

    def __init__(self, net, a):
        self.net, self.a = net, a
        self.opt = torch.optim.Adam(net.parameters(), lr=a.lr)
        self.memory = None
        self.trail = []
        self.total = torch.zeros(())

    def chapter(self, segments):
        memory = self.net.begin() if self.memory is None else self.memory
        self.trail.clear()
        chapter_loss = 0
        for ids in segments:
            logits, memory = self.net(ids[:, :-1], memory)
            self.trail.append(memory)
            chapter_loss = chapter_loss + F.cross_entropy(logits.transpose(1, 2), ids[:, 1:])
        smooth = torch.stack(self.trail).diff(dim=0).square().mean()
        loss = chapter_loss / len(segments) + 0.01 * smooth
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.opt.step()
        self.memory = memory.detach()
        self.total += loss.detach()
        return loss


def book(a):
    gen = torch.Generator().manual_seed(77)
    step = torch.randint(1, a.vocab, (a.lanes, 1), generator=gen)
    for n in itertools.count():
        pos = torch.arange(n * a.seg, (n + 1) * a.seg + 1)
        noise = (torch.rand(a.lanes, a.seg + 1, generator=gen) < 0.05).long()
        yield (pos * step + noise) % a.vocab


def main():
    a = Args()
    torch.manual_seed(77)
    reader = Reader(MemoryReader(a), a)
    pages = book(a)
    for c in range(a.chapters):
        loss = reader.chapter(list(itertools.islice(pages, a.span)))
        if (c + 1) % 10 == 0:
            print(f"chapter {c + 1} loss {loss.item():.3f} mean {reader.total.item() / (c + 1):.3f}")


if __name__ == "__main__":
    main()
