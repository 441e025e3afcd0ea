# gradwatch-corpus: kind=inplace-modified
# holder: self.scale | encoder.blocks[0].norm.scale | encoder.blocks[1].norm.scale | net.blocks.0.norm.scale | net.blocks.1.norm.scale | self.encoder.blocks.0.norm.scale | self.encoder.blocks.1.norm.scale | loss
# first-bad: 6
# notice: 0
"""Signature verification: a siamese encoder on pen strokes, trained with a margin loss."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class RunningScale(nn.Module):
    """Rescales every channel by its running inverse RMS. The statistics start moving once
    the first few batches have gone by."""

    def __init__(self, channels, momentum=0.1, hold=12, eps=1e-4):
        super().__init__()
        self.momentum, self.hold, self.eps = momentum, hold, eps
        self.gain = nn.Parameter(torch.ones(channels))
        self.register_buffer("scale", torch.ones(channels))
        self.batches = 0

    @torch.no_grad()
    def _observe(self, x):
        self.batches += 1
        if self.batches <= self.hold:
            return
        inverse = x.pow(2).mean(0).add(self.eps).rsqrt()
        self.scale.lerp_(inverse, self.momentum)  # <- culprit

    def forward(self, x):
        if self.training:
            self._observe(x)
        return x * self.scale * self.gain


class Block(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.lin = nn.Linear(inputs, outputs)
        self.norm = RunningScale(outputs)

    def forward(self, x):
        return F.gelu(self.norm(self.lin(x)))


class StrokeEncoder(nn.Module):
    def __init__(self, points, width=40, dim=16):
        super().__init__()
        self.blocks = nn.ModuleList([Block(points * 2, width), Block(width, width)])
        self.out = nn.Linear(width, dim)

    def forward(self, strokes):
        x = strokes.flatten(1)
        for block in self.blocks:
            x = block(x)
        return F.normalize(self.out(x), dim=1)


class Writers:
    def __init__(self, people=30, points=20):
        self.points = points
        self.template = torch.randn(people, points, 2).cumsum(1) * 0.3

    def sign(self, who):
        wobble = 0.08 * torch.randn(len(who), self.points, 2)
        return self.template[who] * (1 + 0.05 * torch.randn(len(who), 1, 1)) + wobble

    def pairs(self, n):
        a = torch.randint(0, len(self.template), (n,))
        same = torch.rand(n) < 0.5
        other = (a + torch.randint(1, len(self.template), (n,))) % len(self.template)
        b = torch.where(same, a, other)
        return self.sign(a), self.sign(b), same.float()


class Verifier:
    def __init__(self, encoder, margin=0.8):
        self.encoder = encoder
        self.margin = margin
        self.opt = torch.optim.Adam(encoder.parameters(), lr=2e-3)

    def contrast(self, left, right, same):
        gap = (self.encoder(left) - self.encoder(right)).norm(dim=1)
        pull = same * gap.pow(2)
        push = (1 - same) * F.relu(self.margin - gap).pow(2)
        return (pull + push).mean()

    def fit(self, writers, steps):
        self.encoder.train()
        for k in range(steps):
            loss = self.contrast(*writers.pairs(32))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if k % 5 == 0:
                print(f"{k:3d}  margin loss {loss.item():.4f}")

    @torch.no_grad()
    def accuracy(self, writers, n=200, cut=0.4):
        self.encoder.eval()
        left, right, same = writers.pairs(n)
        gap = (self.encoder(left) - self.encoder(right)).norm(dim=1)
        return ((gap < cut).float() == same).float().mean().item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(14)
    writers = Writers()
    verifier = Verifier(StrokeEncoder(writers.points))
    verifier.fit(writers, steps=80)
    print("accuracy", verifier.accuracy(writers))


if __name__ == "__main__":
    main()
