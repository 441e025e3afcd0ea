import torch
from torch import nn

from phrases import VOCAB


class DistanceBias(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, heads))
        self.cached = {}

    def clear(self):
        self.cached.clear()

    def forward(self, n):
        if n not in self.cached:
            pos = torch.arange(n, dtype=torch.float32)
            gap = (pos[:, None] - pos[None, :]).unsqueeze(-1) / 16
            self.cached[n] = self.net(gap).permute(2, 0, 1)
        return self.cached[n]


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.mix = nn.Linear(width, width)
        self.ff = nn.Sequential(nn.Linear(width, 2 * width), nn.ReLU(inplace=True), nn.Linear(2 * width, width))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.bias = DistanceBias(heads)

    def attend(self, x, padding):
        b, n, w = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        score = q @ k.transpose(-1, -2)
        score.mul_(q.shape[-1] ** -0.5)
        score += self.bias(n)
        score.masked_fill_(padding[:, None, None, :], float("-inf"))
        return self.mix((score.softmax(-1) @ v).transpose(1, 2).reshape(b, n, w))

    def forward(self, x, padding):
        y = self.attend(self.norm1(x), padding)
        y += x
        z = self.ff(self.norm2(y))
        z.add_(y)
        return z


class PhraseModel(nn.Module):
    def __init__(self, width=32, heads=4, depth=2):
        super().__init__()
        self.words = nn.Embedding(VOCAB, width, padding_idx=0)
        self.layers = nn.ModuleList(Layer(width, heads) for _ in range(depth))
        self.norm = nn.LayerNorm(width)
        self.out = nn.Linear(width, VOCAB)
        self.out.weight = self.words.weight
        self.retie()

    def tables(self):
        return [layer.bias for layer in self.layers]

    @torch.no_grad()
    def retie(self):
        """Keep the shared rows inside the unit ball and the padding row at zero."""
        w = self.words.weight
        w.div_(w.norm(dim=1, keepdim=True).clamp_min(1.0))
        w[0].zero_()

    def forward(self, words, padding):
        x = self.words(words)
        for layer in self.layers:
            x = layer(x, padding)
        return 4.0 * self.out(self.norm(x))
