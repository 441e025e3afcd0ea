# gradwatch-corpus: kind=graph-held
# holder: recorder.maps | self.maps | self.maps[name] | recorder.maps["enc.attn"]
# first-bad: 1
"""Tiny transformer for bracket matching, recording attention through forward hooks."""
import collections
import math

import torch
from torch import nn
import torch.nn.functional as F

PAD, OPEN, CLOSE = 0, 1, 2


class SelfAttention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.proj = nn.Linear(dim, dim)
        self.drop = nn.Identity()

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(x).view(b, t, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        w = self.drop((q @ k.transpose(-1, -2) / math.sqrt(d // self.heads)).softmax(-1))
        return self.proj((w @ v).transpose(1, 2).reshape(b, t, d))


class Block(nn.Module):
    def __init__(self, dim=16, heads=2):
        super().__init__()
        self.attn = SelfAttention(dim, heads)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.GELU(), nn.Linear(2 * dim, dim))
        self.n1, self.n2 = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, x):
        x = x + self.attn(self.n1(x))
        return x + self.ff(self.n2(x))


class Balanced(nn.Module):
    def __init__(self, length, dim=16):
        super().__init__()
        self.tok = nn.Embedding(3, dim)
        self.pos = nn.Parameter(torch.zeros(length, dim))
        self.enc = Block(dim)
        self.cls = nn.Linear(dim, 2)

    def forward(self, ids):
        return self.cls(self.enc(self.tok(ids) + self.pos).mean(1))


class AttentionRecorder:
    """Collects softmax maps by module name, for the figure in the appendix."""

    def __init__(self, model):
        self.maps = collections.defaultdict(list)
        self.handles = []
        for name, mod in model.named_modules():
            if isinstance(mod, SelfAttention):
                self.handles.append(mod.drop.register_forward_hook(self._hook(name)))

    def _hook(self, name):
        def record(module, inputs, output):
            self.maps[name].append(output.mean((0, 1)))  # <- culprit
        return record

    def entropy(self, name):
        m = self.maps[name][-1]
        return float(-(m * m.clamp_min(1e-9).log()).sum(-1).mean())

    def close(self):
        for h in self.handles:
            h.remove()


def batch(n, length):
    ids = torch.randint(1, 3, (n, length))
    depth = torch.where(ids == OPEN, 1, -1).cumsum(1)
    return ids, (depth.min(1).values >= -1).long()


def main():
    torch.manual_seed(5)
    model = Balanced(10)
    recorder = AttentionRecorder(model)
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for step in range(410):
        ids, y = batch(24, 10)
        loss = F.cross_entropy(model(ids), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 100 == 0:
            print(step, round(loss.item(), 4), "entropy", round(recorder.entropy("enc.attn"), 4))
    recorder.close()


if __name__ == "__main__":
    main()
