# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch

from layers import UnrolledNet


@dataclass
class Meter:
    values: list = field(default_factory=list)

    def add(self, value):
        self.values.append(value)

    def tail(self, n=15):
        return sum(self.values[-n:]) / len(self.values[-n:])


def scans(batch=3, size=20, keep=0.35, seed=80):
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    while True:
        image = torch.zeros(batch, size, size)
        for _ in range(3):
            cy, cx, r = (torch.rand(batch, 1, 1, generator=gen) for _ in range(3))
            image += torch.exp(-((yy - cy + 0.5) ** 2 + (xx - cx + 0.5) ** 2) / (0.02 + 0.2 * r))
        mask = (torch.rand(batch, size, 1, generator=gen) < keep).float()
        mask[:, :2] = 1
        yield torch.fft.fft2(image.to(torch.complex64), norm="ortho") * mask, mask, image


def deep_loss(stages, image):
    total, weight = 0.0, 1.0
    for x in reversed(stages):
        total = total + weight * ((x[:, 0] - image) ** 2 + x[:, 1] ** 2).mean()
        weight *= 0.5
    return total


def main(iterations=70):
    torch.set_num_threads(1)
    torch.manual_seed(80)
    net = UnrolledNet()
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3)
    meter = Meter()
    for it, (measured, mask, image) in zip(range(iterations), scans()):
        loss = deep_loss(net(measured, mask), image)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        meter.add(loss.item())
        if it % 15 == 14:
            print(f"{it + 1:3d}  deep mse {meter.tail():.5f}")


if __name__ == "__main__":
    main()
