# gradwatch-corpus: kind=none
# about: hooks store attention maps with graph and the loss reads them back, but each layer's entry is overwritten every forward; the list of sketches is detached and small
"""Pair-forming transformer for RNA folding with an attention-entropy penalty read back from hooks."""
from collections import OrderedDict

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.soft = nn.Softmax(-1)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, -1)
        return x + self.soft(q @ k.transpose(1, 2) / q.shape[-1] ** 0.5) @ v


class Tap:
    """Remembers the most recent map of every layer and, for plots, a sketch of earlier ones."""

    def __init__(self, net):
        self.maps = OrderedDict()
        self.sketches = []
        for name, m in net.named_modules():
            if isinstance(m, nn.Softmax):
                m.register_forward_hook(self._keep(name))

    def _keep(self, name):
        def hook(_m, _i, out):
            self.maps[name] = out
        return hook

    def entropy(self):
        return sum(-(a * (a + 1e-9).log()).sum(-1).mean() for a in self.maps.values()) / len(self.maps)

    def sketch(self):
        self.sketches.append({k: a.detach().mean(0).amax(-1) for k, a in self.maps.items()})


class Folder(nn.Module):
    def __init__(self, d=24, depth=3):
        super().__init__()
        self.emb = nn.Embedding(4, d)
        self.pos = nn.Parameter(torch.randn(30, d) * 0.3)
        self.stack = nn.Sequential(*(Attention(d) for _ in range(depth)))
        self.out = nn.Linear(d, 2)

    def forward(self, s):
        return self.out(self.stack(self.emb(s) + self.pos))


def hairpins(n=16, length=30):
    s = torch.randint(0, 4, (n, length))
    stem = torch.randint(3, 8, (n,))
    y = torch.zeros(n, length, dtype=torch.long)
    for i, k in enumerate(stem.tolist()):
        s[i, length - k:] = 3 - s[i, :k].flip(0)
        y[i, :k] = y[i, length - k:] = 1
    return s, y


if __name__ == "__main__":
    torch.manual_seed(44)
    folder = Folder()
    tap = Tap(folder)
    opt = torch.optim.Adam(folder.parameters(), lr=2e-3)
    for it in range(240):
        s, y = hairpins()
        ce = nn.functional.cross_entropy(folder(s).transpose(1, 2), y)
        h = tap.entropy()
        opt.zero_grad()
        (ce + 0.01 * h).backward()
        opt.step()
        if it % 10 == 0:
            tap.sketch()
        if it % 60 == 59:
            print(f"{it + 1} ce {ce.item():.4f} entropy {h.item():.3f} sketches {len(tap.sketches)}")
