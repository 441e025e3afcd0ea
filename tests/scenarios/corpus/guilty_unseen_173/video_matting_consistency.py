# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Frame-by-frame alpha matting of synthetic clips with a temporal smoothness term on the alpha map."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE = 20


class Clip:
    """A disc that wanders over a textured background."""

    def __init__(self, length, gen):
        self.length = length
        self.pos = torch.rand(2, generator=gen) * SIZE
        self.vel = torch.randn(2, generator=gen) * 0.6
        self.radius = 3 + 3 * torch.rand(1, generator=gen).item()
        self.back = torch.rand(3, SIZE, SIZE, generator=gen)
        self.color = torch.rand(3, 1, 1, generator=gen)
        ys, xs = torch.meshgrid(torch.arange(SIZE).float(), torch.arange(SIZE).float(), indexing="ij")
        self.grid = torch.stack([ys, xs])

    def __iter__(self):
        for _ in range(self.length):
            dist = (self.grid - self.pos.view(2, 1, 1)).norm(dim=0)
            alpha = torch.sigmoid(2.0 * (self.radius - dist)).unsqueeze(0)
            yield alpha * self.color + (1 - alpha) * self.back, alpha
            self.pos = self.pos + self.vel
            self.vel = torch.where((self.pos < 0) | (self.pos > SIZE), -self.vel, self.vel)


class MattingNet(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.enc = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.GroupNorm(3, ch), nn.ReLU(),
                                 nn.Conv2d(ch, ch, 3, padding=2, dilation=2), nn.ReLU())
        self.head = nn.Conv2d(ch, 1, 1)

    def forward(self, frame):
        return torch.sigmoid(self.head(self.enc(frame)))


class MattingLoss(nn.Module):
    def __init__(self, w_grad=0.3, w_time=0.1):
        super().__init__()
        self.w_grad, self.w_time = w_grad, w_time
        self.previous = None

    def new_clip(self):
        self.previous = None

    @staticmethod
    def _edges(a):
        return a[..., :, 1:] - a[..., :, :-1], a[..., 1:, :] - a[..., :-1, :]

    def forward(self, alpha, target):
        loss = F.l1_loss(alpha, target)
        for e, te in zip(self._edges(alpha), self._edges(target)):
            loss = loss + self.w_grad * F.l1_loss(e, te)
        if self.previous is not None:
            loss = loss + self.w_time * F.mse_loss(alpha, self.previous)
        self.previous = alpha  # <- culprit
        return loss


def evaluate(net, gen):
    sad, n = 0.0, 0
    with torch.no_grad():
        for frame, alpha in Clip(10, gen):
            sad += (net(frame[None]) - alpha[None]).abs().mean().item()
            n += 1
    return sad / n


def main(clips=40, length=15):
    torch.manual_seed(1)
    gen = torch.Generator().manual_seed(2)
    net = MattingNet()
    criterion = MattingLoss()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.LambdaLR(opt, lambda c: 0.5 * (1 + math.cos(math.pi * c / clips)))
    for c in range(clips):
        criterion.new_clip()
        total = 0.0
        for frame, alpha in Clip(length, gen):
            pred = net(frame.unsqueeze(0))
            loss = criterion(pred, alpha.unsqueeze(0))
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        sched.step()
        if c % 5 == 0:
            print(f"clip {c:3d} loss {total / length:.4f} sad {evaluate(net, gen):.4f}")


if __name__ == "__main__":
    main()
