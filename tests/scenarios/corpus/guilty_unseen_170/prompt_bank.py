# gradwatch-corpus: kind=second-backward
# holder: self.class_features | class_features.cache_info | self._features | PromptBank.class_features
# first-bad: 1
# notice: 0
"""Prompt tuning of a small image-text model: learned context vectors in front of frozen class names."""
import functools

import torch
import torch.nn as nn
import torch.nn.functional as F


class TextTower(nn.Module):
    def __init__(self, dim=24, out=20):
        super().__init__()
        self.mix = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, out)

    def forward(self, tokens):
        return self.out(torch.tanh(self.mix(tokens)).mean(1))


class PromptBank(nn.Module):
    def __init__(self, tower, classes=7, ctx=4, dim=24):
        super().__init__()
        self.tower = tower.requires_grad_(False)
        self.ctx = nn.Parameter(0.02 * torch.randn(ctx, dim))
        self.register_buffer("names", torch.randn(classes, 3, dim))

    @functools.lru_cache(maxsize=4)  # <- culprit
    def class_features(self, template):
        n = len(self.names)
        ctx = self.ctx.unsqueeze(0).expand(n, -1, -1)
        if template == "front":
            tokens = torch.cat([ctx, self.names], 1)
        else:
            tokens = torch.cat([self.names, ctx], 1)
        return F.normalize(self.tower(tokens), dim=-1)

    def forward(self, template="front"):
        return self.class_features(template)  # <- culprit


class ImageTower(nn.Module):
    def __init__(self, out=20):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(36, 40), nn.ReLU(), nn.Linear(40, out))

    @torch.no_grad()
    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def images(gen, protos, n=32):
    y = torch.randint(0, len(protos), (n,), generator=gen)
    return protos[y] + 0.4 * torch.randn(n, protos.shape[1], generator=gen), y


def main():
    torch.manual_seed(50)
    torch.set_num_threads(1)
    gen = torch.Generator().manual_seed(51)
    protos = torch.randn(7, 36, generator=gen)
    vision = ImageTower()
    bank = PromptBank(TextTower())
    scale = 20.0
    opt = torch.optim.SGD([bank.ctx], lr=0.1, momentum=0.9)
    for it in range(120):
        x, y = images(gen, protos)
        logits = scale * vision(x) @ bank("front").T
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"{it:3d} loss {loss.item():.4f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
