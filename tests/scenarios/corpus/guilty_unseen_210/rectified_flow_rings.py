# gradwatch-corpus: kind=inplace-modified
# holder: self.bin_weight | balancer.bin_weight | matcher.balancer.bin_weight | self.balancer.bin_weight
# first-bad: 10
import torch
from torch import nn

torch.set_num_threads(1)


class BinBalancer:
    """Re-weights time bins according to how hard they have been lately."""

    def __init__(self, n_bins=8, momentum=0.9, start=10):
        self.n_bins, self.momentum, self.start = n_bins, momentum, start
        self.bin_weight = torch.ones(n_bins)
        self.seen = 0

    def reduce(self, t, err):
        b = (t * self.n_bins).long().clamp(max=self.n_bins - 1)
        per_bin = torch.zeros(self.n_bins).index_add(0, b, err)
        counts = torch.bincount(b, minlength=self.n_bins).clamp(min=1)
        per_bin = per_bin / counts
        return (self.bin_weight * per_bin).mean(), per_bin.detach()

    def observe(self, per_bin):
        self.seen += 1
        if self.seen <= self.start:
            return
        rel = per_bin / per_bin.mean()
        self.bin_weight.mul_(self.momentum).add_(rel, alpha=1 - self.momentum)  # <- culprit


class VelocityField(nn.Module):
    def __init__(self, width=80):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(2 + 3, width), nn.SiLU(), nn.Linear(width, width), nn.SiLU(),
                               nn.Linear(width, width), nn.SiLU(), nn.Linear(width, 2))

    def forward(self, x, t):
        t = t[:, None]
        return self.f(torch.cat([x, t, torch.sin(6.283 * t), torch.cos(6.283 * t)], -1))


class FlowMatcher:
    def __init__(self, field, balancer):
        self.field, self.balancer = field, balancer

    def interpolate(self, x1):
        x0 = torch.randn_like(x1)
        t = torch.sigmoid(torch.randn(len(x1)))
        xt = (1 - t)[:, None] * x0 + t[:, None] * x1
        return xt, t, x1 - x0

    def loss(self, x1):
        xt, t, target = self.interpolate(x1)
        err = (self.field(xt, t) - target).pow(2).sum(-1)
        loss, per_bin = self.balancer.reduce(t, err)
        self.balancer.observe(per_bin)  # <- culprit
        return loss

    @torch.no_grad()
    def sample(self, n, steps=20):
        x = torch.randn(n, 2)
        for i in range(steps):
            t = torch.full((n,), i / steps)
            x = x + self.field(x, t) / steps
        return x


def rings(n):
    r = 1.0 + torch.randint(0, 2, (n,)).float()
    th = torch.rand(n) * 6.283
    return torch.stack([r * th.cos(), r * th.sin()], -1) + 0.05 * torch.randn(n, 2)


def main(iters=120):
    torch.manual_seed(21)
    matcher = FlowMatcher(VelocityField(), BinBalancer())
    opt = torch.optim.Adam(matcher.field.parameters(), lr=2e-3)
    for it in range(iters):
        opt.zero_grad()
        loss = matcher.loss(rings(192))
        loss.backward()
        opt.step()
        if it % 20 == 0:
            print(f"iter {it} loss {loss.item():.4f}")
    print(matcher.sample(64).norm(dim=-1).mean())


if __name__ == "__main__":
    main()
