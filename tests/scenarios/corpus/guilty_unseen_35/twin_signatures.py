# gradwatch-corpus: kind=inplace-modified
# holder: self.scale | self.norm.scale | tower.norm.scale | self.tower.norm.scale | net.tower.norm.scale
# first-bad: 20
"""Signature verification: the tower learns writers first, then pairs."""
import torch
from torch import nn

D, WRITERS = 20, 12


class RunningScale(nn.Module):
    """Divides every channel by a running mean of its absolute value."""

    def __init__(self, channels, rate=0.1):
        super().__init__()
        self.rate = rate
        self.register_buffer("scale", torch.ones(channels))

    @torch.no_grad()
    def _track(self, x):
        self.scale.lerp_(x.abs().mean(0), self.rate)  # <- culprit

    def forward(self, x):
        if self.training:
            self._track(x)  # <- culprit
        return x / self.scale  # <- culprit


class Tower(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.lift = nn.Linear(D, width)
        self.norm = RunningScale(width)
        self.out = nn.Linear(width, width // 2)

    def forward(self, x):
        return self.out(torch.relu(self.norm(self.lift(x))))


class Verifier(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.tower = Tower(width)
        self.writer = nn.Linear(width // 2, WRITERS)

    def identify(self, x):
        return self.writer(self.tower(x))

    def distance(self, left, right):
        return (self.tower(left) - self.tower(right)).norm(dim=1)  # <- culprit


def contrastive(distance, same, margin=2.0):
    return torch.where(same, distance.square(), torch.relu(margin - distance).square()).mean()


class Data:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.styles = torch.randn(WRITERS, D, generator=self.gen)

    def sign(self, writers):
        return self.styles[writers] + 0.4 * torch.randn(len(writers), D, generator=self.gen)

    def singles(self, n):
        writers = torch.randint(WRITERS, (n,), generator=self.gen)
        return self.sign(writers), writers

    def pairs(self, n):
        a = torch.randint(WRITERS, (n,), generator=self.gen)
        b = torch.where(torch.rand(n, generator=self.gen) < 0.5, a, a.roll(1))
        return self.sign(a), self.sign(b), a == b


def update(opt, loss):
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    torch.manual_seed(22)
    data, net = Data(seed=4), Verifier()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)

    for i in range(20):
        x, writers = data.singles(48)
        value = update(opt, nn.functional.cross_entropy(net.identify(x), writers))
    print(f"writer phase done, loss {value:.4f}")

    for i in range(80):
        left, right, same = data.pairs(48)
        value = update(opt, contrastive(net.distance(left, right), same))
        if i % 20 == 0:
            print(f"pair step {i}: {value:.4f}")


if __name__ == "__main__":
    main()
