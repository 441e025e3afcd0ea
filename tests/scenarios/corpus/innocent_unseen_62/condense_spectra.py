# gradwatch-corpus: kind=none
"""Condense a library of stellar spectra by gradient matching.

A handful of synthetic spectra per class is learned so that the gradients they
induce in a classifier agree with those of real batches, along the classifier's
own training path; the classifier is drawn anew from time to time.
"""
import argparse

import torch
import torch.nn.functional as F

BANDS, CLASSES = 32, 4


def library(n, seed):
    """Black-body-like continua with class-specific absorption lines."""
    g = torch.Generator().manual_seed(seed)
    lam = torch.linspace(0.3, 1.0, BANDS)
    temp = torch.tensor([0.15, 0.2, 0.28, 0.4])
    line = torch.tensor([0.40, 0.52, 0.65, 0.80])
    k = torch.randint(CLASSES, (n,), generator=g)
    cont = lam ** -3 / (torch.exp(0.2 / (lam * temp[k, None])) - 1)
    cont = cont / cont.mean(1, keepdim=True)
    dip = 0.4 * torch.exp(-((lam - line[k, None]) / 0.02) ** 2)
    return cont * (1 - dip) + 0.05 * torch.randn(n, BANDS, generator=g), k


def draw_network(g, width=24):
    shapes = [(width, BANDS), (width,), (CLASSES, width), (CLASSES,)]
    net = [torch.randn(s, generator=g) / (s[-1] ** 0.5 if len(s) > 1 else 1e3) for s in shapes]
    return [w.requires_grad_() for w in net]


def logits(net, x):
    w1, b1, w2, b2 = net
    return F.linear(torch.tanh(F.linear(x, w1, b1)), w2, b2)


def distance(gs, gr):
    """One minus cosine, row by row, over the layers."""
    total = 0.0
    for a, b in zip(gs, gr):
        a, b = a.view(a.shape[0], -1), b.view(b.shape[0], -1)
        if a.shape[1] > 1:
            total = total + (1 - F.cosine_similarity(a, b, dim=1, eps=1e-6)).sum()
        else:
            total = total + (a - b).square().sum()
    return total


class Condenser:
    def __init__(self, per_class):
        self.labels = torch.arange(CLASSES).repeat_interleave(per_class)
        self.spectra = (1.0 + 0.1 * torch.randn(len(self.labels), BANDS)).requires_grad_()
        self.opt = torch.optim.SGD([self.spectra], lr=0.5, momentum=0.5)
        self.matched = None

    def match(self, net, x, y):
        real = torch.autograd.grad(F.cross_entropy(logits(net, x), y), net)
        fake = torch.autograd.grad(F.cross_entropy(logits(net, self.spectra), self.labels),
                                   net, create_graph=True)
        self.matched = (fake, distance(fake, real))
        self.opt.zero_grad()
        self.matched[1].backward(inputs=[self.spectra])
        self.opt.step()
        return self.matched[1].item()

    def advance(self, net, rate, steps):
        """Train the classifier on the synthetic set; the path is not differentiated."""
        for _ in range(steps):
            loss = F.cross_entropy(logits(net, self.spectra.detach()), self.labels)
            grads = torch.autograd.grad(loss, net)
            net = [(w - rate * g).detach().requires_grad_() for w, g in zip(net, grads)]
        return net


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--iters", type=int, default=200)
    ap.add_argument("--redraw", type=int, default=20)
    ap.add_argument("--per-class", type=int, default=3)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    x, y = library(800, seed=2)
    condenser = Condenser(args.per_class)
    net, window = None, []
    for it in range(args.iters):
        if it % args.redraw == 0:
            net = draw_network(g)
        idx = torch.randint(len(x), (128,), generator=g)
        window.append(condenser.match(net, x[idx], y[idx]))
        net = condenser.advance(net, rate=0.2, steps=2)
        if it % args.redraw == args.redraw - 1:
            with torch.no_grad():
                acc = (logits(net, x).argmax(1) == y).float().mean().item()
            print(f"{it:4d}  distance {sum(window) / len(window):.3f}  real accuracy {acc:.3f}")
            window.clear()


if __name__ == "__main__":
    main()
