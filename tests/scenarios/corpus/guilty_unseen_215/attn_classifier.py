# gradwatch-corpus: kind=graph-held
# holder: self.maps | recorder.maps
# first-bad: 1
"""Sequence classifier with a small transformer; attention maps are kept for the figures."""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class Config:
    vocab: int = 40
    dim: int = 32
    heads: int = 4
    depth: int = 2
    length: int = 24
    batch: int = 32
    steps: int = 100
    lr: float = 1e-3


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.softmax = nn.Softmax(dim=-1)
        self.proj = nn.Linear(dim, dim)

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        att = self.softmax(q @ k.transpose(-2, -1) / (d // self.heads) ** 0.5)
        return self.proj((att @ v).transpose(1, 2).reshape(b, n, d))


class Layer(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.attn = Attention(dim, heads)
        self.mlp = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.mlp(self.n2(x))


class Classifier(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.tok = nn.Embedding(cfg.vocab, cfg.dim)
        self.pos = nn.Parameter(torch.zeros(1, cfg.length, cfg.dim))
        self.layers = nn.ModuleList(Layer(cfg.dim, cfg.heads) for _ in range(cfg.depth))
        self.head = nn.Linear(cfg.dim, 2)

    def forward(self, ids):
        x = self.tok(ids) + self.pos
        for layer in self.layers:
            x = layer(x)
        return self.head(x.mean(1))


class AttentionRecorder:
    def __init__(self, model):
        self.maps = []
        self.handle = model.layers[-1].attn.softmax.register_forward_hook(self._hook)

    def _hook(self, module, args, output):
        self.maps.append(output[0])  # <- culprit

    def entropy(self):
        last = self.maps[-1].clamp_min(1e-9)
        return float(-(last * last.log()).sum(-1).mean())


def batch(cfg):
    ids = torch.randint(1, cfg.vocab, (cfg.batch, cfg.length))
    y = torch.randint(0, 2, (cfg.batch,))
    pos = torch.randint(0, cfg.length - 1, (cfg.batch,))
    rows = torch.arange(cfg.batch)
    ids[rows, pos] = torch.where(y == 1, 3, 5)
    ids[rows, pos + 1] = torch.where(y == 1, 5, 3)
    return ids, y


def main():
    torch.manual_seed(5)
    cfg = Config()
    model = Classifier(cfg)
    recorder = AttentionRecorder(model)
    optim = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        ids, y = batch(cfg)
        loss = nn.functional.cross_entropy(model(ids), y)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 25 == 0:
            print(f"step {step:3d} loss {loss.item():.4f} attention entropy {recorder.entropy():.3f}")
    recorder.handle.remove()


if __name__ == "__main__":
    main()
