# gradwatch-corpus: kind=graph-held
# holder: cache | vendor_attn.memo._CACHE | _CACHE | memo._CACHE
# also: graph-unused
import torch
import torch.nn.functional as F
from torch import nn

from vendor_attn import RelativeAttention


class Block(nn.Module):
    def __init__(self, d=48):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.attn = RelativeAttention(d, heads=4)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x, temperature):
        x = x + self.attn(self.n1(x), temperature)
        return x + self.ff(self.n2(x))


class Net(nn.Module):
    def __init__(self, d=48, depth=2):
        super().__init__()
        self.inp = nn.Linear(8, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.out = nn.Linear(d, 4)

    def forward(self, x, temperature=1.0):
        h = self.inp(x)
        for b in self.blocks:
            h = b(h, temperature)
        return self.out(h.mean(1))


def anneal(step, start=2.0, end=0.5, total=140):
    return start + (end - start) * step / total


torch.manual_seed(0)
net = Net()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for step in range(140):
    x = torch.randn(32, 12, 8)
    y = (x[:, 0, :4].argmax(-1))
    opt.zero_grad()
    loss = F.cross_entropy(net(x, temperature=round(anneal(step), 6)), y)
    loss.backward()
    opt.step()
    if step % 35 == 0:
        print(step, loss.item())
