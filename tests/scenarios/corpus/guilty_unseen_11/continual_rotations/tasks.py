import math

import torch


class RotatedPrototypes:
    """Task t turns the first two halves of the feature space against each other by t * 15 degrees."""

    def __init__(self, tasks, classes, dim, gen):
        self.gen = gen
        self.prototypes = 1.5 * torch.randn(classes, dim, generator=gen)
        self.angles = [math.radians(15 * t) for t in range(tasks)]

    def rotate(self, x, task):
        c, s = math.cos(self.angles[task]), math.sin(self.angles[task])
        a, b = x.chunk(2, dim=1)
        return torch.cat([c * a - s * b, s * a + c * b], dim=1)

    def batch(self, task, n):
        y = torch.randint(0, len(self.prototypes), (n,), generator=self.gen)
        x = self.prototypes[y] + torch.randn(n, self.prototypes.size(1), generator=self.gen)
        return self.rotate(x, task), y

    def accuracy(self, net, task, n=256):
        x, y = self.batch(task, n)
        with torch.no_grad():
            return (net(x).argmax(1) == y).float().mean().item()
