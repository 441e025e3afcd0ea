import torch
import torch.nn.functional as F
from torch import nn


class LayerCache:
    def __init__(self):
        self.k = self.v = None

    def append(self, k, v):
        self.k = k if self.k is None else torch.cat([self.k, k], dim=1)
        self.v = v if self.v is None else torch.cat([self.v, v], dim=1)
        return self.k, self.v

    @property
    def length(self):
        return 0 if self.k is None else self.k.shape[1]


class Layer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.proj = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.GELU(),
                                 nn.Linear(2 * width, width))

    def forward(self, x, cache):
        past = cache.length
        q, k, v = self.qkv(self.norm(x)).chunk(3, -1)
        k, v = cache.append(k, v)
        rows = torch.arange(past, past + x.shape[1])[:, None]
        mask = torch.arange(k.shape[1])[None, :] <= rows
        x = x + self.proj(F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        return x + self.mlp(x)


class CharDecoder(nn.Module):
    def __init__(self, vocab, width, layers):
        super().__init__()
        self.tok = nn.Embedding(vocab, width)
        self.pos = nn.Embedding(64, width)
        self.layers = nn.ModuleList(Layer(width) for _ in range(layers))
        self.head = nn.Linear(width, vocab)
        self.caches = []

    def start(self):
        self.caches = [LayerCache() for _ in self.layers]
        return self

    def forward(self, ids):
        if not self.caches:
            self.start()
        past = self.caches[0].length
        x = self.tok(ids) + self.pos(torch.arange(past, past + ids.shape[1]))
        for layer, cache in zip(self.layers, self.caches):
            x = layer(x, cache)
        return self.head(x)

    @torch.no_grad()
    def generate(self, ids, n):
        self.start()
        out = [ids]
        for _ in range(n):
            nxt = self(out[-1])[:, -1:].argmax(-1)
            out.append(nxt)
        self.start()
        return torch.cat(out, 1)
