# gradwatch-corpus: kind=none
"""Texture synthesis by matching Gram matrices with L-BFGS. The activations are
caught by forward hooks on a small net of oriented filters."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SIZE = 24


def gabor_bank(n, k=5):
    lin = torch.linspace(-1, 1, k)
    y, x = torch.meshgrid(lin, lin, indexing="ij")
    filters = []
    for i in range(n):
        a = math.pi * i / n
        u = x * math.cos(a) + y * math.sin(a)
        filters.append(torch.cos(3 * u) * torch.exp(-2 * (x ** 2 + y ** 2)))
    bank = torch.stack(filters).unsqueeze(1)
    return bank - bank.mean(dim=(2, 3), keepdim=True)


class FilterNet(nn.Sequential):
    def __init__(self, n=6):
        first = nn.Conv2d(1, n, 5, padding=2, padding_mode="circular", bias=False)
        second = nn.Conv2d(n, 2 * n, 3, padding=1, padding_mode="circular")
        super().__init__(first, nn.ReLU(), nn.AvgPool2d(2), second, nn.ReLU())
        with torch.no_grad():
            first.weight.copy_(gabor_bank(n))
        self.requires_grad_(False)


class Tap:
    """catches the outputs of some layers while it is open"""

    def __init__(self, net, layers):
        self.net, self.layers = net, layers
        self.caught = {}

    def __enter__(self):
        self.handles = [self.net[i].register_forward_hook(self.hook_for(i)) for i in self.layers]
        return self

    def hook_for(self, i):
        def hook(module, args, out):
            self.caught[i] = out
        return hook

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()
        self.caught.clear()


def gram(t):
    f = t[0].flatten(1)
    return f @ f.t() / f.shape[1]


def grams(net, img, layers):
    with Tap(net, layers) as tap:
        net(img)
        return {i: gram(out) for i, out in tap.caught.items()}


def exemplar():
    lin = torch.arange(SIZE, dtype=torch.float)
    y, x = torch.meshgrid(lin, lin, indexing="ij")
    bricks = ((y % 6 < 1) | ((x + 3 * ((y // 6) % 2)) % 8 < 1)).float()
    return (1 - bricks + 0.05 * torch.randn(SIZE, SIZE))[None, None]


def synthesise(net, target, layers, steps, seed):
    g = torch.Generator().manual_seed(seed)
    canvas = torch.rand(1, 1, SIZE, SIZE, generator=g).requires_grad_(True)
    optimizer = torch.optim.LBFGS([canvas], lr=0.5, max_iter=2, history_size=8)
    parts = {}

    def closure():
        optimizer.zero_grad()
        found = grams(net, canvas, layers)
        losses = [F.mse_loss(found[i], target[i]) for i in layers]
        smooth = 1e-4 * (canvas - canvas.roll(1, -1)).pow(2).mean()
        loss = 100 * sum(losses) + smooth
        loss.backward()
        parts.update({"layer%d" % i: l.item() for i, l in zip(layers, losses)})
        return loss

    curve = []
    for step in range(steps):
        loss = optimizer.step(closure)
        curve.append(loss.item())
        with torch.no_grad():
            canvas.clamp_(-0.5, 1.5)
        if step % 70 == 0:
            print("step %3d  loss %.6f  %s" % (step, curve[-1], {k: round(v, 6) for k, v in parts.items()}))
    return canvas.detach(), curve


def main():
    torch.manual_seed(15)
    net, layers = FilterNet(), [1, 4]
    target = grams(net, exemplar(), layers)
    image, curve = synthesise(net, target, layers, steps=280, seed=3)
    print("loss %.5f -> %.6f, mean grey %.3f" % (curve[0], curve[-1], image.mean().item()))


if __name__ == "__main__":
    main()
