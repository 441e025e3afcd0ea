# gradwatch-corpus: kind=none
"""Texture synthesis by Gram matching against a random convolutional stack."""
import math

import torch
from torch import nn
import torch.nn.functional as F

TAPS = ("0", "2", "4")


def weave(size):
    t = torch.linspace(0, 6 * math.pi, size)
    a = torch.sin(t)[None, :] * torch.cos(0.5 * t)[:, None]
    b = torch.sign(torch.sin(t[:, None] + t[None, :]))
    c = torch.cos(2 * t)[None, :].expand(size, size)
    return torch.stack([a, b, c]).unsqueeze(0)


def random_stack(widths=(3, 16, 24, 32)):
    layers = []
    for cin, cout in zip(widths[:-1], widths[1:]):
        layers.append(nn.Conv2d(cin, cout, 3, stride=2, padding=1))
        layers.append(nn.ReLU())
    return nn.Sequential(*layers).requires_grad_(False)


def gram(feat):
    flat = feat.flatten(2)
    return flat @ flat.transpose(1, 2) / flat.shape[-1]


class FeatureTap:
    def __init__(self, stack, names):
        self.found = {}
        self.handles = []
        for name in names:
            layer = stack.get_submodule(name)
            self.handles.append(layer.register_forward_hook(self.make_hook(name)))

    def make_hook(self, name):
        def hook(module, inputs, output):
            self.found[name] = output
        return hook

    def pop_all(self):
        found = self.found
        self.found = {}
        return found

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for handle in self.handles:
            handle.remove()
        self.found.clear()


class Snapshots:
    def __init__(self, keep):
        self.keep = keep
        self.frames = []

    def offer(self, loss, canvas):
        self.frames.append((loss, canvas.detach().clone()))
        self.frames.sort(key=lambda frame: frame[0])
        del self.frames[self.keep:]


def synthesise(size=48, steps=120):
    stack = random_stack()
    canvas = nn.Parameter(torch.randn(1, 3, size, size) * 0.3)
    opt = torch.optim.Adam([canvas], lr=0.03)
    shots = Snapshots(keep=4)
    with FeatureTap(stack, TAPS) as tap:
        stack(weave(size))
        reference = {k: gram(v) for k, v in tap.pop_all().items()}
        for step in range(steps):
            stack(canvas)
            feats = tap.pop_all()
            style = sum(F.mse_loss(gram(feats[k]), reference[k]) for k in TAPS)
            dx = (canvas[..., 1:] - canvas[..., :-1]).abs().mean()
            dy = (canvas[..., 1:, :] - canvas[..., :-1, :]).abs().mean()
            loss = style + 1e-3 * (dx + dy)
            opt.zero_grad()
            loss.backward()
            opt.step()
            with torch.no_grad():
                canvas.clamp_(-1.5, 1.5)
            shots.offer(loss.item(), canvas)
            if step % 30 == 0:
                print(f"{step:3d} style {style.item():.5f}")
    return shots


if __name__ == "__main__":
    torch.manual_seed(27)
    best = synthesise().frames[0]
    print(f"best {best[0]:.5f} contrast {best[1].std():.3f}")
