# gradwatch-corpus: kind=second-backward
# holder: self.prototypes | criterion.prototypes | self.criterion.prototypes | bank.prototypes
# first-bad: 1
"""Prototype-contrastive training on Gaussian classes with few labels; prototypes are tracked with
momentum and sharpened by the unlabelled part of every batch."""
import torch

from encoder import Projection
from objective import PrototypeLoss


class FewLabelSource:
    def __init__(self, classes=6, dim=20, seed=0):
        self.g = torch.Generator().manual_seed(seed)
        self.classes, self.dim = classes, dim
        self.centres = 1.5 * torch.randn(classes, dim, generator=self.g)

    def draw(self, n):
        y = torch.randint(self.classes, (n,), generator=self.g)
        return self.centres[y] + torch.randn(n, self.dim, generator=self.g), y

    def batch(self, labelled=24, unlabelled=40):
        x, y = self.draw(labelled)
        u, _ = self.draw(unlabelled)
        return x, y, u


def accuracy(encoder, criterion, source, n=200):
    x, y = source.draw(n)
    with torch.no_grad():
        return (criterion.similarities(encoder(x)).argmax(1) == y).float().mean().item()


def main(iterations=250):
    torch.manual_seed(4)
    source = FewLabelSource(seed=4)
    encoder = Projection(source.dim, out=16)
    criterion = PrototypeLoss(source.classes, dim=16)
    opt = torch.optim.Adam(encoder.parameters(), lr=2e-3)
    for it in range(iterations):
        x, y, u = source.batch()
        loss = criterion(encoder(x), y, encoder(u))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 50 == 0:
            print(f"{it}: loss {loss.item():.3f} acc {accuracy(encoder, criterion, source):.3f}")


if __name__ == "__main__":
    main()
