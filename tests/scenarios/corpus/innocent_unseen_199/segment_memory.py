# gradwatch-corpus: kind=none
"""Segment-recurrent transformer with memories per layer, checkpointed blocks, micro-batched loss."""
import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

VOCAB, DIM, SEG, MEM = 16, 24, 8, 16


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(DIM), nn.LayerNorm(DIM)
        self.q, self.kv, self.o = nn.Linear(DIM, DIM), nn.Linear(DIM, 2 * DIM), nn.Linear(DIM, DIM)
        self.ff = nn.Sequential(nn.Linear(DIM, 48), nn.GELU(), nn.Linear(48, DIM))

    def forward(self, x, mem):
        ctx = self.norm1(torch.cat([mem, x], 1))
        q = self.q(ctx[:, -x.shape[1]:])
        k, v = self.kv(ctx).chunk(2, -1)
        scores = q @ k.transpose(1, 2) / DIM ** 0.5
        mask = torch.ones(scores.shape[-2:], dtype=torch.bool).triu(1 + mem.shape[1])
        att = scores.masked_fill(mask, -1e9).softmax(-1)
        x = x + self.o(att @ v)
        return x + self.ff(self.norm2(x))


class SegmentLM(nn.Module):
    def __init__(self, depth=2):
        super().__init__()
        self.tok = nn.Embedding(VOCAB, DIM)
        self.pos = nn.Parameter(torch.zeros(SEG, DIM))
        self.blocks = nn.ModuleList(Block() for _ in range(depth))
        self.head = nn.Linear(DIM, VOCAB)

    def blank(self, batch):
        return [torch.zeros(batch, 0, DIM) for _ in self.blocks]

    def forward(self, ids, mems):
        x = self.tok(ids) + self.pos
        kept = []
        for block, mem in zip(self.blocks, mems):
            kept.append(self.remember(mem, x))
            x = checkpoint(block, x, mem, use_reentrant=False)
        return self.head(x), kept

    @staticmethod
    @torch.no_grad()
    def remember(mem, x):
        return torch.cat([mem, x], 1)[:, -MEM:]


class Streams:
    def __init__(self, lanes, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.motif = torch.randint(VOCAB, (lanes, 20), generator=self.gen)
        self.at = 0

    def next(self):
        idx = (self.at + torch.arange(SEG + 1)) % 20
        self.at += SEG
        return self.motif[:, idx]


def main():
    torch.manual_seed(100)
    model = SegmentLM()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    streams = [Streams(4, 101), Streams(4, 102)]
    memories = [model.blank(4) for _ in streams]
    history = []
    for it in range(400):
        parts = []
        for i, stream in enumerate(streams):
            ids = stream.next()
            logits, memories[i] = model(ids[:, :-1], memories[i])
            parts.append(F.cross_entropy(logits.transpose(1, 2), ids[:, 1:]))
        loss = torch.stack(parts).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append([p.detach() for p in parts])
        if it % 80 == 79:
            print(it + 1, loss.item(), memories[0][0].shape[1], len(history))


if __name__ == "__main__":
    main()
