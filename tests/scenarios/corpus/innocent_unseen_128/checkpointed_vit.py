# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(11)


class Block(nn.Module):
    def __init__(self, d, heads):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.o = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Dropout(0.1), nn.Linear(2 * d, d))
        self.heads = heads
        self.last_attention = None

    def forward(self, x):
        b, n, d = x.shape
        q, k, v = self.qkv(self.n1(x)).view(b, n, 3, self.heads, -1).permute(2, 0, 3, 1, 4)
        a = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).softmax(-1)
        self.last_attention = a
        x = x + self.o((a @ v).transpose(1, 2).reshape(b, n, d))
        return x + self.ff(self.n2(x))


class ViT(nn.Module):
    def __init__(self, d=16, depth=3):
        super().__init__()
        self.patch = nn.Conv2d(1, d, 4, stride=4)
        self.pos = nn.Parameter(torch.zeros(1, 10, d))
        self.cls = nn.Parameter(torch.zeros(1, 1, d))
        self.blocks = nn.ModuleList(Block(d, 2) for _ in range(depth))
        self.head = nn.Linear(d, 4)

    def forward(self, x):
        h = self.patch(x).flatten(2).transpose(1, 2)
        h = torch.cat([self.cls.expand(len(h), -1, -1), h], 1) + self.pos
        for b in self.blocks:
            h = checkpoint(b, h, use_reentrant=False)
        return self.head(h[:, 0])


model = ViT()
opt = torch.optim.AdamW(model.parameters(), 1e-3)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 450)
for it in range(450):
    y = torch.randint(0, 4, (8,))
    x = torch.randn(8, 1, 12, 12)
    x[torch.arange(8), 0, y * 3] += 2
    loss = nn.functional.cross_entropy(model(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    if it % 100 == 0:
        ent = [-(b.last_attention * b.last_attention.log()).sum(-1).mean().item() for b in model.blocks]
        print(it, loss.item(), ent)
