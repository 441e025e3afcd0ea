# gradwatch-corpus: kind=none
import functools
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Layer(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))
        self.n = nn.LayerNorm(d)
        self.last_attn = None

    def forward(self, x):
        y = self.n(x)
        y, w = self.att(y, y, y)
        self.last_attn = w.detach()
        return x + y + self.ff(y)


class Model(nn.Module):
    def __init__(self, d=16, depth=3):
        super().__init__()
        self.inp = nn.Linear(4, d)
        self.layers = nn.ModuleList(Layer(d) for _ in range(depth))
        self.tail = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.out = nn.Linear(d, 1)

    def forward(self, x):
        h = self.inp(x)
        for l in self.layers:
            h = checkpoint(l, h, use_reentrant=False)
        h = checkpoint_sequential(self.tail, 2, h, use_reentrant=True)
        return self.out(h.mean(1)).squeeze(-1)


torch.manual_seed(9)
m = Model()
opt = torch.optim.AdamW(m.parameters(), lr=2e-3)
mse = functools.partial(nn.functional.mse_loss, reduction="mean")
for it in range(120):
    x = torch.randn(8, 10, 4)
    loss = mse(m(x), x[..., 0].max(1).values)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 30 == 0:
        print(it, round(loss.item(), 4), round(m.layers[0].last_attn.max().item(), 3))
