# gradwatch-corpus: kind=none
"""Decoder trained chunk by chunk within a sequence, keys and values cached per sequence."""
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


@dataclass
class KV:
    k: Optional[torch.Tensor] = None
    v: Optional[torch.Tensor] = None

    def extend(self, k, v):
        if self.k is None:
            return KV(k, v)
        return KV(torch.cat([self.k, k], 2), torch.cat([self.v, v], 2))


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.qkv, self.o, self.heads = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim), heads
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def attend(self, x, cache):
        B, T, D = x.shape
        q, k, v = self.qkv(self.n1(x)).view(B, T, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        cache = cache.extend(k, v)
        S = cache.k.size(2)
        mask = torch.ones(T, S, dtype=torch.bool).tril(S - T)
        y = F.scaled_dot_product_attention(q, cache.k, cache.v, attn_mask=mask)
        return x + self.o(y.transpose(1, 2).reshape(B, T, D)), cache

    def mlp(self, x):
        return x + self.ff(self.n2(x))

    def forward(self, x, cache):
        x, cache = self.attend(x, cache)
        if self.training:
            x = checkpoint(self.mlp, x, use_reentrant=False)
        else:
            x = self.mlp(x)
        return x, cache


class Decoder(nn.Module):
    def __init__(self, vocab, dim=32, depth=2, limit=64):
        super().__init__()
        self.tok, self.pos = nn.Embedding(vocab, dim), nn.Embedding(limit, dim)
        self.layers = nn.ModuleList(Layer(dim, 4) for _ in range(depth))
        self.head = nn.Linear(dim, vocab)

    def fresh(self):
        return [KV() for _ in self.layers]

    def forward(self, x, caches, start):
        h = self.tok(x) + self.pos(torch.arange(start, start + x.size(1)))
        out = []
        for layer, c in zip(self.layers, caches):
            h, c = layer(h, c)
            out.append(c)
        return self.head(h), out


def train(steps=70, vocab=16, chunk=8):
    torch.manual_seed(9)
    net = Decoder(vocab)
    opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
    for step in range(steps):
        motif = torch.randint(0, vocab, (8, 6))
        seq = motif.repeat(1, 6)[:, :33]
        caches, pieces = net.fresh(), []
        for s in range(0, 32, chunk):
            logits, caches = net(seq[:, s:s + chunk], caches, s)
            pieces.append(F.cross_entropy(logits.flatten(0, 1), seq[:, s + 1:s + chunk + 1].reshape(-1)))
        loss = torch.stack(pieces).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(step, round(loss.item(), 3), [round(p.item(), 3) for p in pieces])
    return net


@torch.no_grad()
def generate(net, prompt, n):
    net.eval()
    caches, out = net.fresh(), prompt
    logits, caches = net(prompt, caches, 0)
    for i in range(n):
        nxt = logits[:, -1:].argmax(-1)
        out = torch.cat([out, nxt], 1)
        logits, caches = net(nxt, caches, prompt.size(1) + i)
    return out


if __name__ == "__main__":
    net = train()
    print(generate(net, torch.tensor([[1, 5, 3, 9, 2, 7, 1, 5, 3]]), 8).tolist())
