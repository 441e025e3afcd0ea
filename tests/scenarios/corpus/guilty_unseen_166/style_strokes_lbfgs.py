# gradwatch-corpus: kind=graph-held
# holder: run.style | self.style | self.run.style | run | self.run
# first-bad: 1
"""Texture transfer onto a small stroke image with LBFGS, after the neural style tutorial."""
import argparse
import os
import tempfile
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

torch.set_num_threads(1)


def gram_matrix(x):
    b, c, h, w = x.size()
    f = x.view(b * c, h * w)
    return torch.mm(f, f.t()).div(b * c * h * w)


class ContentLoss(nn.Module):
    def __init__(self, target):
        super().__init__()
        self.target = target.detach()
        self.loss = None

    def forward(self, x):
        self.loss = F.mse_loss(x, self.target)
        return x


class StyleLoss(nn.Module):
    def __init__(self, feature):
        super().__init__()
        self.target = gram_matrix(feature).detach()
        self.loss = None

    def forward(self, x):
        self.loss = F.mse_loss(gram_matrix(x), self.target)
        return x


def random_features(seed, channels=(3, 8, 12)):
    torch.manual_seed(seed)
    layers = []
    for a, b in zip(channels, channels[1:]):
        layers += [nn.Conv2d(a, b, 3, padding=1), nn.Tanh(), nn.AvgPool2d(2)]
    return nn.Sequential(*layers).requires_grad_(False)


def build(cnn, style_img, content_img):
    model, styles, contents = nn.Sequential(), [], []
    for i, layer in enumerate(cnn):
        model.append(layer)
        if isinstance(layer, nn.Tanh):
            styles.append(StyleLoss(model(style_img)))
            model.append(styles[-1])
            if len(styles) == 2:
                contents.append(ContentLoss(model(content_img)))
                model.append(contents[-1])
    return model, styles, contents


def stripes(size, period, phase):
    t = torch.arange(size).float()
    wave = torch.sin(2 * torch.pi * (t[:, None] + phase * t[None]) / period)
    return (0.5 + 0.5 * torch.stack([wave, wave.t(), -wave])).unsqueeze(0)


def run_style_transfer(args):
    content, style = stripes(24, 12, 0.0), stripes(24, 5, 1.0)
    model, styles, contents = build(random_features(args.seed), style, content)
    img = content.clone().requires_grad_(True)
    optimizer = optim.LBFGS([img], lr=0.5, max_iter=1, history_size=8)
    run = SimpleNamespace(calls=0, style=[], content=[])

    def closure():
        with torch.no_grad():
            img.clamp_(0, 1)
        optimizer.zero_grad()
        model(img)
        style_score = sum(s.loss for s in styles) * args.style_weight
        content_score = sum(c.loss for c in contents) * args.content_weight
        loss = style_score + content_score
        loss.backward()
        run.calls += 1
        run.style.append(style_score)  # <- culprit
        run.content.append(content_score.item())
        return loss

    for step in range(args.steps):
        optimizer.step(closure)
        if (step + 1) % 20 == 0:
            recent = sum(s.item() for s in run.style[-20:]) / 20
            print(f"run {step + 1}: style {recent:.4f} content {run.content[-1]:.4f}")
    with torch.no_grad():
        img.clamp_(0, 1)
    return img.detach(), run


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--style-weight", type=float, default=1e4)
    ap.add_argument("--content-weight", type=float, default=1.0)
    ap.add_argument("--seed", type=int, default=8)
    args = ap.parse_args()
    out, run = run_style_transfer(args)
    with tempfile.TemporaryDirectory() as d:
        torch.save(out, os.path.join(d, "stylized.pt"))
    print("closure calls", run.calls, "range", round(out.min().item(), 3), round(out.max().item(), 3))


if __name__ == "__main__":
    main()
