# gradwatch-corpus: kind=graph-chain
# holder: self.img | canvas.img
# first-bad: 1
"""Texture synthesis from random conv features (Ulyanov-style random nets), plain gradient descent on pixels."""
import argparse

import torch
import torch.nn as nn
import torch.nn.functional as F


class RandomFeatures(nn.Module):
    def __init__(self, widths=(16, 32, 48)):
        super().__init__()
        layers, c = [], 3
        for w in widths:
            layers.append(nn.Conv2d(c, w, 3, padding=1))
            c = w
        self.convs = nn.ModuleList(layers)
        for p in self.parameters():
            p.requires_grad_(False)

    def forward(self, x):
        feats = []
        for conv in self.convs:
            x = F.leaky_relu(conv(x), 0.1)
            feats.append(x)
            x = F.avg_pool2d(x, 2)
        return feats


def gram_matrix(f):
    b, c, h, w = f.shape
    f = f.reshape(b, c, h * w)
    return f @ f.transpose(1, 2) / (c * h * w)


def total_variation(x):
    dx = (x[..., 1:] - x[..., :-1]).pow(2).mean()
    dy = (x[..., 1:, :] - x[..., :-1, :]).pow(2).mean()
    return dx + dy


def make_texture(size):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    checks = ((xx // 4 + yy // 4) % 2).float()
    waves = torch.sin(xx / 2.5)
    return torch.stack([checks, waves, checks * waves]).unsqueeze(0)


class Canvas:
    """The image that is being optimised, with heavy-ball momentum."""

    def __init__(self, size, lr, momentum=0.8):
        self.img = torch.randn(1, 3, size, size).mul(0.1).requires_grad_()
        self.lr = lr
        self.momentum = momentum
        self.velocity = torch.zeros_like(self.img)

    def begin(self):
        if not self.img.is_leaf:
            self.img.retain_grad()
        self.img.grad = None
        return self.img

    def apply_gradient(self):
        g = self.img.grad
        g = g / (g.abs().mean() + 1e-8)
        self.velocity = self.momentum * self.velocity + g
        self.img = self.img - self.lr * self.velocity  # <- culprit


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--size", type=int, default=48)
    ap.add_argument("--iters", type=int, default=120)
    ap.add_argument("--lr", type=float, default=0.01)
    ap.add_argument("--tv", type=float, default=1e-2)
    args = ap.parse_args()

    torch.manual_seed(7)
    net = RandomFeatures()
    with torch.no_grad():
        targets = [gram_matrix(f) for f in net(make_texture(args.size))]
    canvas = Canvas(args.size, args.lr)

    for it in range(args.iters):
        img = canvas.begin()
        grams = [gram_matrix(f) for f in net(img)]
        style = sum(F.mse_loss(g, t) * 1e3 for g, t in zip(grams, targets))
        loss = style + args.tv * total_variation(img)
        loss.backward()
        canvas.apply_gradient()
        if it % 20 == 0:
            print(f"iter {it:4d}  style {style.item():.5f}  total {loss.item():.5f}")
    out = canvas.img.detach().clamp(-1, 1)
    print("final pixel range", out.min().item(), out.max().item())


if __name__ == "__main__":
    main()
