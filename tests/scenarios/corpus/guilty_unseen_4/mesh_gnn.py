# gradwatch-corpus: kind=graph-held
# holder: self.centre | self.power | b.std.centre | b.std.power | net.blocks[0].std.centre
# first-bad: 1
"""Message passing surrogate for heat diffusion on random triangulated plates.

Latents are standardised with batch moments while fitting and with the tracked
moments at roll-out time.
"""
import torch
from torch import nn


def plate(n=60, k=5, g=None):
    pos = torch.rand(n, 2, generator=g)
    near = torch.cdist(pos, pos).topk(k + 1, largest=False).indices[:, 1:]
    src = torch.arange(n).repeat_interleave(k)
    dst = near.reshape(-1)
    temp = torch.sin(3 * pos[:, 0]) * torch.cos(2 * pos[:, 1]) + 0.1 * torch.randn(n, generator=g)
    lap = torch.zeros(n).index_add_(0, src, temp[dst] - temp[src]) / k
    return pos, src, dst, temp, temp + 0.4 * lap


class LatentStandardizer(nn.Module):
    def __init__(self, width, rate=0.02, eps=1e-4):
        super().__init__()
        self.rate, self.eps = rate, eps
        self.gain = nn.Parameter(torch.ones(width))
        self.centre = torch.zeros(width)
        self.power = torch.ones(width)

    def forward(self, z):
        if self.training:
            mu, var = z.mean(0), z.var(0)
            self.centre = self.centre + self.rate * (mu - self.centre)  # <- culprit
            self.power = self.power + self.rate * (var - self.power)  # <- culprit
        else:
            mu, var = self.centre, self.power
        return self.gain * (z - mu) / (var + self.eps).sqrt()


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.msg = nn.Linear(2 * d + 2, d)
        self.upd = nn.Linear(2 * d, d)
        self.std = LatentStandardizer(d)

    def forward(self, h, pos, src, dst):
        m = torch.relu(self.msg(torch.cat([h[src], h[dst], pos[dst] - pos[src]], 1)))
        agg = torch.zeros_like(h).index_add(0, src, m)
        return h + self.std(self.upd(torch.cat([h, agg], 1)))


class Surrogate(nn.Module):
    def __init__(self, d=24, depth=2):
        super().__init__()
        self.enc = nn.Linear(3, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.dec = nn.Linear(d, 1)

    def forward(self, pos, src, dst, temp):
        h = torch.tanh(self.enc(torch.cat([pos, temp[:, None]], 1)))
        for b in self.blocks:
            h = b(h, pos, src, dst)
        return temp + self.dec(h).squeeze(1)


if __name__ == "__main__":
    torch.manual_seed(42)
    g = torch.Generator().manual_seed(42)
    net = Surrogate()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for it in range(260):
        pos, src, dst, t0, t1 = plate(g=g)
        mismatch = (net(pos, src, dst, t0) - t1).square().mean()
        opt.zero_grad()
        mismatch.backward()
        opt.step()
        if it % 65 == 64:
            net.eval()
            with torch.no_grad():
                pos, src, dst, t0, t1 = plate(g=g)
                print(it + 1, "train %.5f" % mismatch.item(), "rollout %.5f" % (net(pos, src, dst, t0) - t1).square().mean())
            net.train()
