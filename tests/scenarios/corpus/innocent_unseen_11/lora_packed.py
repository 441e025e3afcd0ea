# gradwatch-corpus: kind=none
"""LoRA fine-tuning of a toy decoder on packed sequences, with sampling from a sliding key/value cache now and then.
A stand-in for the real thing, to test the packer and the cache on the build machine."""
import collections
import functools
import math
import random

import torch
import torch.nn.functional as F
from torch import nn

VOCAB, PAD, EOS = 16, 0, 1


class Bounded(torch.autograd.Function):
    """Identity; the gradient is clipped element by element on its way back."""

    @staticmethod
    def forward(ctx, x, bound):
        ctx.bound = bound
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return grad.clamp(-ctx.bound, ctx.bound), None


class Lora(nn.Module):
    def __init__(self, base, rank, alpha):
        super().__init__()
        self.base = base.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(rank, base.in_features) / math.sqrt(base.in_features))
        self.up = nn.Parameter(torch.zeros(base.out_features, rank))
        self.scale = alpha / rank

    def forward(self, x):
        return self.base(x) + self.scale * Bounded.apply(F.linear(F.linear(x, self.down), self.up), 0.1)


class SlidingCache:
    def __init__(self, window):
        self.keys = collections.deque(maxlen=window)
        self.values = collections.deque(maxlen=window)

    def extend(self, k, v):
        self.keys.append(k)
        self.values.append(v)
        return torch.cat(list(self.keys), dim=1), torch.cat(list(self.values), dim=1)


class Block(nn.Module):
    def __init__(self, dim, rank=4):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.q, self.k, self.v, self.o = (Lora(nn.Linear(dim, dim, bias=False), rank, 8) for _ in range(4))
        self.mlp = nn.Sequential(Lora(nn.Linear(dim, 2 * dim), rank, 8), nn.GELU(), Lora(nn.Linear(2 * dim, dim), rank, 8))

    def forward(self, x, mask=None, cache=None):
        z = self.norm1(x)
        q, k, v = self.q(z), self.k(z), self.v(z)
        if cache is not None:
            k, v = cache.extend(k, v)
        x = x + self.o(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        return x + self.mlp(self.norm2(x))


class Decoder(nn.Module):
    def __init__(self, dim=32, layers=2, positions=64):
        super().__init__()
        self.tok, self.pos = nn.Embedding(VOCAB, dim), nn.Embedding(positions, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(layers))
        self.head = Lora(nn.Linear(dim, VOCAB), 4, 8)
        for module in (self.tok, self.pos, *(n for b in self.blocks for n in (b.norm1, b.norm2))):
            module.requires_grad_(False)

    def forward(self, tokens, positions, mask=None, caches=None):
        x = self.tok(tokens) + self.pos(positions)
        for i, block in enumerate(self.blocks):
            x = block(x, mask, None if caches is None else caches[i])
        return self.head(x)


@functools.lru_cache(maxsize=64)
def block_mask(lengths):
    """Causal inside of each document of the pack, nothing across."""
    parts = [torch.ones(n, n, dtype=torch.bool).tril() for n in lengths]
    return torch.block_diag(*parts).bool()


class Packer:
    """Counting documents (start, stride, length) put together until a row is full; the rest of a row is padding."""

    def __init__(self, width, seed):
        self.width, self.rng = width, random.Random(seed)

    def document(self):
        start, stride, n = self.rng.randrange(14), self.rng.randint(1, 3), self.rng.randint(6, 14)
        return [2 + (start + stride * k) % 14 for k in range(n)] + [EOS]

    def row(self):
        tokens, lengths = [], []
        while True:
            doc = self.document()
            if len(tokens) + len(doc) > self.width:
                break
            tokens += doc
            lengths.append(len(doc))
        rest = self.width - len(tokens)
        if rest:
            lengths.append(rest)
        positions = [p for n in lengths for p in range(n)]
        return torch.tensor(tokens + [PAD] * rest), torch.tensor(positions), tuple(lengths)

    def batch(self, rows):
        tokens, positions, lengths = zip(*(self.row() for _ in range(rows)))
        return torch.stack(tokens), torch.stack(positions), torch.stack([block_mask(n) for n in lengths])


def packed_loss(model, tokens, positions, mask):
    logits = model(tokens, positions, mask)[:, :-1]
    goal = tokens[:, 1:].masked_fill(positions[:, 1:] == 0, PAD)
    return F.cross_entropy(logits.flatten(0, 1), goal.flatten(), ignore_index=PAD)


@torch.inference_mode()
def continue_from(model, prompt, n=10, window=16):
    caches = [SlidingCache(window) for _ in model.blocks]
    out = list(prompt)
    for p in range(len(prompt) + n):
        logits = model(torch.tensor([[out[p]]]), torch.tensor([[p]]), caches=caches)
        if p + 1 == len(out):
            out.append(int(logits[0, -1].argmax()))
    return out


def main(steps=300):
    torch.manual_seed(81)
    torch.set_num_threads(1)
    packer, model = Packer(width=40, seed=82), Decoder()
    opt = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=5e-3)
    for step in range(steps):
        loss = packed_loss(model, *packer.batch(8))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 60 == 0:
            print(step, f"loss {loss.item():.3f}", continue_from(model, [3, 5, 7, 9]), block_mask.cache_info().currsize)


if __name__ == "__main__":
    main()
