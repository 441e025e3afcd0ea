# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    def __init__(self, d, reentrant):
        super().__init__()
        self.f = nn.Sequential(nn.LayerNorm(d), nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))
        self.reentrant = reentrant

    def forward(self, x):
        return x + checkpoint(self.f, x, use_reentrant=self.reentrant)


class Net(nn.Module):
    def __init__(self, d=64):
        super().__init__()
        self.inp = nn.Linear(16, d)
        self.blocks = nn.Sequential(*[Block(d, r) for r in (True, False, True)])
        self.tail = nn.Sequential(nn.Linear(d, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.head = nn.Linear(d, 1)

    def forward(self, x):
        h = self.blocks(self.inp(x))
        return self.head(checkpoint_sequential(self.tail, 2, h, use_reentrant=False))


torch.manual_seed(0)
net = Net()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for i in range(160):
    x = torch.randn(64, 16)
    loss = (net(x) - x.pow(3).mean(1, keepdim=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    if i % 40 == 0:
        print(i, loss.item())
