# gradwatch-corpus: kind=graph-held
# holder: self.hi | self.lo | obs.hi | obs.lo | observers
# first-bad: 1
"""Train a small keyword detector with fake-quantized weights and export activation ranges."""
import torch
from torch import nn

from .fake import QLinear
from .observer import attach


def build(n_in=24, n_out=5):
    return nn.Sequential(QLinear(n_in, 40), nn.ReLU(), QLinear(40, 40), nn.ReLU(), QLinear(40, n_out))


def spectra(n, prototypes):
    y = torch.randint(len(prototypes), (n,))
    return prototypes[y] + 1.2 * torch.randn(n, prototypes.shape[1]), y


def accuracy(model, x, y):
    with torch.no_grad():
        return (model(x).argmax(-1) == y).float().mean().item()


def main(steps=420):
    torch.manual_seed(2)
    prototypes = torch.randn(5, 24)
    model = build()
    observers = attach(model, (QLinear,))
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    val = spectra(256, prototypes)
    for step in range(steps):
        x, y = spectra(32, prototypes)
        loss = nn.functional.cross_entropy(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 140 == 139:
            print(step + 1, round(loss.item(), 4))
    for obs in observers:
        print(obs.qparams())
    print("validation accuracy", accuracy(model, *val))


if __name__ == "__main__":
    main()
