# gradwatch-corpus: kind=graph-held
# holder: p.grad | net.head.weight.grad
# first-bad: 1
# notice: 60
"""Distil a library of mineral spectra to two synthetic spectra per class, by matching gradients of random nets."""
import torch

torch.set_num_threads(1)
torch.manual_seed(12)

from .match import gradient_distance
from .nets import RandomNet
from .spectra import Library


def main():
    lib = Library(classes=3, bands=16)
    synth = torch.nn.Parameter(torch.randn(6, 16))
    labels = torch.arange(3).repeat(2)
    opt = torch.optim.Adam([synth], lr=0.05)
    for it in range(300):
        net = RandomNet(16, 3)
        x, y = lib.draw(24)
        opt.zero_grad()
        gap = gradient_distance(net, (x, y), (synth, labels))
        gap.backward(inputs=[synth])
        opt.step()
        if it % 60 == 59:
            print(it + 1, round(gap.item(), 4))


main()
