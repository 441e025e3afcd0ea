# gradwatch-corpus: kind=none
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(20)
ACIDS = 10


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.mix = nn.Conv1d(d, d, 3, padding=1, groups=d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        y = self.norm(x)
        y = self.mix(y.transpose(1, 2)).transpose(1, 2)
        return x + self.ff(y)


class Helix(nn.Module):
    def __init__(self, d=12, depth=4):
        super().__init__()
        self.emb = nn.Embedding(ACIDS, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.state = nn.Linear(d, 3)

    def forward(self, chain):
        x = self.emb(chain)
        for block in self.blocks:
            x = checkpoint(block, x, use_reentrant=False)
        return self.state(x)


def chains(n=6, length=14):
    chain = torch.randint(0, ACIDS, (n, length))
    fold = ((chain + chain.roll(1, 1)) // 4).clamp(max=2)
    return chain, fold


net = Helix()
opt = torch.optim.Adam(net.parameters(), lr=3e-3)
for it in range(420):
    chain, fold = chains()
    loss = nn.functional.cross_entropy(net(chain).flatten(0, 1), fold.flatten())
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 70 == 0:
        print(it, loss.item())
