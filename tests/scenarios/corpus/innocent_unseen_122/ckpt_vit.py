# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint
from torch.utils.data import IterableDataset, DataLoader


class Stripes(IterableDataset):
    """Images with horizontal, vertical or diagonal stripes."""

    def __init__(self, n, seed):
        self.n, self.seed = n, seed

    def __iter__(self):
        g = torch.Generator().manual_seed(self.seed)
        ii, jj = torch.meshgrid(torch.arange(8), torch.arange(8), indexing="ij")
        for _ in range(self.n):
            y = int(torch.randint(0, 3, (1,), generator=g))
            ph = int(torch.randint(0, 4, (1,), generator=g))
            pattern = [(ii + ph) % 4 < 2, (jj + ph) % 4 < 2, (ii + jj + ph) % 4 < 2][y].float()
            yield pattern.unsqueeze(0) + 0.5 * torch.randn(1, 8, 8, generator=g), y


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.att = nn.MultiheadAttention(d, 2, batch_first=True)
        self.ff = nn.Sequential(nn.Linear(d, 2 * d), nn.GELU(), nn.Linear(2 * d, d))

    def forward(self, x):
        h = self.n1(x)
        x = x + self.att(h, h, h, need_weights=False)[0]
        return x + self.ff(self.n2(x))


class ViT(nn.Module):
    def __init__(self, d=16, depth=2):
        super().__init__()
        self.patch = nn.Conv2d(1, d, 2, stride=2)
        self.cls = nn.Parameter(torch.zeros(1, 1, d))
        self.pos = nn.Parameter(0.02 * torch.randn(1, 17, d))
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.head = nn.Linear(d, 3)

    def forward(self, img):
        x = self.patch(img).flatten(2).transpose(1, 2)
        x = torch.cat([self.cls.expand(len(x), -1, -1), x], 1) + self.pos
        for blk in self.blocks:
            x = checkpoint(blk, x, use_reentrant=False)
        return self.head(x[:, 0])


def main():
    torch.manual_seed(10)
    net = ViT()
    opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, 5e-3, total_steps=420)
    for epoch in range(6):
        seen, hit, total = 0, 0, 0.0
        for x, y in DataLoader(Stripes(700, epoch), batch_size=10):
            out = net(x)
            loss = F.cross_entropy(out, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            sched.step()
            total += loss.detach() * len(y)
            hit += (out.argmax(1) == y).sum()
            seen += len(y)
        print(f"epoch {epoch} loss {total / seen:.3f} acc {hit / seen:.3f}")


if __name__ == "__main__":
    main()
