from types import SimpleNamespace

import torch


def make_catalogue(sources, features, corrupted, classes=3):
    centres = 1.5 * torch.randn(classes, features)

    def draw(n):
        y = torch.randint(classes, (n,))
        return centres[y] + torch.randn(n, features), y

    tx, ty = draw(sources)
    bad = torch.rand(sources) < corrupted
    ty = torch.where(bad, (ty + torch.randint(1, classes, (sources,))) % classes, ty)
    vx, vy = draw(120)
    return SimpleNamespace(train_x=tx, train_y=ty, val_x=vx, val_y=vy, bad=bad)
