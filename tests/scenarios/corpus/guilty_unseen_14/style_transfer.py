# gradwatch-corpus: kind=graph-held
# holder: features | features[name] | features[layer] | feats
# first-bad: 1
"""Neural style transfer after Gatys, but with an untrained network, because I
wanted to see whether random filters are good enough (they nearly are)."""
import math
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)

IMG = 32
STEPS = 300
STYLE_LAYERS = {"relu1": 1.0, "relu2": 0.8, "relu3": 0.5}
CONTENT_LAYER = "relu3"
STYLE_WEIGHT = 2e3
TV_WEIGHT = 1e-3

features = defaultdict(list)


def checkerboard(size):
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    board = ((x // 4 + y // 4) % 2).float()
    return torch.stack([board, 1 - board, 0.5 * board])[None]


def blob(size):
    lin = torch.linspace(-1, 1, size)
    y, x = torch.meshgrid(lin, lin, indexing="ij")
    r = torch.exp(-4 * (x ** 2 + y ** 2))
    return torch.stack([r, 0.5 * r, 1 - r])[None]


class RandomNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 8, 3, padding=1)
        self.relu1 = nn.ReLU()
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1, stride=2)
        self.relu2 = nn.ReLU()
        self.conv3 = nn.Conv2d(16, 24, 3, padding=1, stride=2)
        self.relu3 = nn.ReLU()

    def forward(self, x):
        x = self.relu1(self.conv1(x))
        x = self.relu2(self.conv2(x))
        return self.relu3(self.conv3(x))


def remember(name):
    def hook(module, inputs, output):
        features[name].append(output)  # <- culprit
    return hook


def gram(t):
    b, c, h, w = t.shape
    f = t.reshape(c, h * w)
    return f @ f.t() / (c * h * w)


def tv(img):
    dx = (img[..., 1:] - img[..., :-1]).abs().mean()
    dy = (img[..., 1:, :] - img[..., :-1, :]).abs().mean()
    return dx + dy


net = RandomNet()
for p in net.parameters():
    p.requires_grad_(False)
for name in set(STYLE_LAYERS) | {CONTENT_LAYER}:
    getattr(net, name).register_forward_hook(remember(name))

content_img = blob(IMG)
style_img = checkerboard(IMG)

# targets
net(content_img)
content_target = features[CONTENT_LAYER][-1]
net(style_img)
style_targets = {name: gram(features[name][-1]) for name in STYLE_LAYERS}

canvas = nn.Parameter(content_img + 0.1 * torch.randn_like(content_img))
optimizer = torch.optim.Adam([canvas], lr=0.02)
scheduler = torch.optim.lr_scheduler.LambdaLR(
    optimizer, lambda s: 0.5 * (1 + math.cos(math.pi * s / STEPS)) + 0.05)


def style_loss():
    total = 0
    for layer, weight in STYLE_LAYERS.items():
        g = gram(features[layer][-1])
        total = total + weight * F.mse_loss(g, style_targets[layer])
    return STYLE_WEIGHT * total


def content_loss():
    return F.mse_loss(features[CONTENT_LAYER][-1], content_target)


curve = []
for step in range(STEPS):
    optimizer.zero_grad()
    net(canvas)
    ls, lc, lt = style_loss(), content_loss(), TV_WEIGHT * tv(canvas)
    loss = ls + lc + lt
    loss.backward()
    optimizer.step()
    scheduler.step()
    with torch.no_grad():
        canvas.clamp_(-0.2, 1.2)
    curve.append(loss.item())
    if step % 60 == 0:
        print(f"step {step:4d}  style {ls.item():.5f}  content {lc.item():.5f}  tv {lt.item():.5f}")

print("loss went from %.4f to %.4f" % (curve[0], curve[-1]))
