# gradwatch-corpus: kind=graph-held
# holder: feature_maps["block2"] | feature_maps
# first-bad: 1
# Plankton silhouettes (discs, rods, stars) with a tiny convnet, block2 statistics as in the notebook
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(8)
SIZE = 20
feature_maps = defaultdict(list)


def draw(kind):
    yy, xx = torch.meshgrid(torch.arange(SIZE), torch.arange(SIZE), indexing="ij")
    cx = 6 + 8 * torch.rand(1)
    cy = 6 + 8 * torch.rand(1)
    dx = xx - cx
    dy = yy - cy
    if kind == 0:
        img = (dx ** 2 + dy ** 2 < 16).float()
    elif kind == 1:
        img = ((dx.abs() < 7) & (dy.abs() < 2)).float()
    else:
        img = (dx.abs() * dy.abs() < 3).float()
    return img + 0.3 * torch.randn(SIZE, SIZE)


def batch(n=12):
    kinds = torch.randint(0, 3, (n,))
    imgs = torch.stack([draw(int(k)) for k in kinds])
    return imgs.unsqueeze(1), kinds


def conv_block(cin, cout):
    return nn.Sequential(
        nn.Conv2d(cin, cout, 3, padding=1),
        nn.BatchNorm2d(cout),
        nn.ReLU(),
        nn.MaxPool2d(2),
    )


class PlanktonNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.block1 = conv_block(1, 8)
        self.block2 = conv_block(8, 16)
        self.head = nn.Linear(16 * 25, 3)

    def forward(self, x):
        x = self.block1(x)
        x = self.block2(x)
        return self.head(x.flatten(1))


def get_activation(name):
    def hook(module, inputs, output):
        feature_maps[name].append(output)  # <- culprit
    return hook


def sparsity(name):
    last = feature_maps[name][-1]
    return (last == 0).float().mean().item()


def train(model, n_batches=80):
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    losses = []
    for i in range(n_batches):
        x, y = batch()
        opt.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        opt.step()
        losses.append(loss.item())
        if i % 16 == 0:
            print("batch", i, "loss", losses[-1], "zeros in block2", sparsity("block2"))
    return losses


model = PlanktonNet()
model.block2.register_forward_hook(get_activation("block2"))
curve = train(model)
print("first ten", sum(curve[:10]) / 10, "last ten", sum(curve[-10:]) / 10)
