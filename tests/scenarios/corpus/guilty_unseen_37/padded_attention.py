# gradwatch-corpus: kind=inplace-modified
# first-bad: 18
import math
import random

import torch
from torch import nn, optim

torch.set_num_threads(1)

PAD = 0


class MaskedSelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads, self.dk = heads, dim // heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, pad_mask):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, self.dk).permute(2, 0, 3, 1, 4)
        weights = torch.softmax(q @ k.transpose(-2, -1) / math.sqrt(self.dk), dim=-1)
        if pad_mask.any():
            weights.masked_fill_(pad_mask[:, None, None, :], 0.0)  # <- culprit
        y = (weights @ v).transpose(1, 2).reshape(b, t, d)
        return self.proj(y)


class Tagger(nn.Module):
    def __init__(self, vocab, dim, n_tags):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim, padding_idx=PAD)
        self.att = MaskedSelfAttention(dim, 2)
        self.norm = nn.LayerNorm(dim)
        self.out = nn.Linear(dim, n_tags)

    def forward(self, tokens):
        x = self.emb(tokens)
        x = self.norm(x + self.att(x, tokens == PAD))
        return self.out(x)


def collate(seqs):
    width = max(map(len, seqs))
    toks = torch.tensor([s + [PAD] * (width - len(s)) for s in seqs])
    tags = torch.where(toks == PAD, -100, toks % 3)
    return toks, tags


def bucketed_batches(n, batch, rnd):
    """Sentences sorted by length into buckets; the tail buckets are mixed."""
    lengths = [8] * 96 + sorted(rnd.randint(9, 14) for _ in range(n - 96))
    sents = [[rnd.randint(1, 29) for _ in range(k)] for k in lengths]
    for i in range(0, n, batch):
        yield collate(sents[i:i + batch])


def main():
    rnd = random.Random(12)
    torch.manual_seed(12)
    model = Tagger(30, 32, 3)
    opt = optim.AdamW(model.parameters(), lr=2e-3)
    ce = nn.CrossEntropyLoss(ignore_index=-100)
    step = 0
    for epoch in range(3):
        for toks, tags in bucketed_batches(480, 8, rnd):
            opt.zero_grad()
            loss = ce(model(toks).flatten(0, 1), tags.flatten())
            loss.backward()
            opt.step()
            if step % 10 == 0:
                print("step", step, "width", toks.size(1), "loss", round(loss.item(), 4))
            step += 1


if __name__ == "__main__":
    main()
