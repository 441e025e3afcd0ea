# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Set transformer that predicts the maximum of a padded set."""
from contextlib import ExitStack

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class SelfAttention(nn.Module):
    def __init__(self, dim, heads=2):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.out = nn.Linear(dim, dim)

    def forward(self, x, pad):
        b, n, d = x.shape
        q, k, v = (t.view(b, n, self.heads, -1).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        att = torch.softmax(q @ k.transpose(-1, -2) / (d // self.heads) ** 0.5, -1)
        att.masked_fill_(pad[:, None, None, :], 0.0)  # <- culprit
        att = att / att.sum(-1, keepdim=True).clamp_min(1e-6)
        return self.out((att @ v).transpose(1, 2).reshape(b, n, d))


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.att, self.n1, self.n2 = SelfAttention(dim), nn.LayerNorm(dim), nn.LayerNorm(dim)
        self.ff = nn.Sequential(nn.Linear(dim, 2 * dim), nn.ReLU(), nn.Linear(2 * dim, dim))

    def forward(self, x, pad):
        x = x + self.att(self.n1(x), pad)
        return x + self.ff(self.n2(x))


class SetMax(nn.Module):
    def __init__(self, dim=16, depth=2):
        super().__init__()
        self.lift = nn.Linear(1, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.head = nn.Linear(dim, 1)

    def forward(self, x, pad):
        h = self.lift(x)
        for blk in self.blocks:
            h = blk(h, pad)
        h = h.masked_fill(pad[..., None], 0).sum(1) / (~pad).sum(1, keepdim=True)
        return self.head(h).squeeze(-1)


def make_batch(n=32, longest=10):
    size = torch.randint(3, longest + 1, (n, 1))
    pad = torch.arange(longest)[None] >= size
    x = torch.randn(n, longest)
    y = x.masked_fill(pad, float("-inf")).amax(1)
    return x.masked_fill(pad, 0).unsqueeze(-1), pad, y


class Session:
    def __init__(self, net, lr):
        self.net, self.opt = net, torch.optim.AdamW(net.parameters(), lr=lr)

    def __enter__(self):
        self.net.train()
        return self

    def __exit__(self, *exc):
        self.net.eval()

    def __call__(self, batch):
        x, pad, y = batch
        loss = F.mse_loss(self.net(x, pad), y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    torch.manual_seed(0)
    with ExitStack() as stack:
        session = stack.enter_context(Session(SetMax(), 2e-3))
        for step in range(120):
            loss = session(make_batch())
            if step % 20 == 0:
                print(step, f"{loss:.4f}")


if __name__ == "__main__":
    main()
