# gradwatch-corpus: kind=none
"""Align several noisy views of a shape with an anchor view; one backward a view to keep memory low."""
import torch
import torch.nn.functional as F
from torch import nn


def shapes(n, gen, classes=5, size=20):
    proto = torch.randn(classes, size, generator=torch.Generator().manual_seed(77))
    y = torch.randint(0, classes, (n,), generator=gen)
    return proto[y] + 0.3 * torch.randn(n, size, generator=gen), y


def augment(x, strength, gen):
    keep = (torch.rand(x.shape, generator=gen) > 0.2).float()
    return x * keep + strength * torch.randn(x.shape, generator=gen)


class ViewNet(nn.Module):
    def __init__(self, size=20, dim=16):
        super().__init__()
        self.anchor_tower = nn.Sequential(nn.Linear(size, 40), nn.ReLU(), nn.Linear(40, dim))
        self.view_tower = nn.Sequential(nn.Linear(size, 40), nn.ReLU(), nn.Linear(40, dim))
        self.log_temp = nn.Parameter(torch.tensor(-1.0))

    def contrast(self, anchor, view):
        logits = F.normalize(anchor, dim=1) @ F.normalize(view, dim=1).t()
        return F.cross_entropy(logits / self.log_temp.exp(), torch.arange(len(anchor)))


class ViewTrainer:
    def __init__(self, net, n_views, gen):
        self.net, self.n_views, self.gen = net, n_views, gen
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        self.running = None

    def closure(self, x):
        self.opt.zero_grad()
        anchor = self.net.anchor_tower(x)
        total = 0.0
        for v in range(self.n_views):
            view = self.net.view_tower(augment(x, 0.1 * (v + 1), self.gen))
            loss = self.net.contrast(anchor, view) / self.n_views
            loss.backward(retain_graph=v < self.n_views - 1)
            total += loss.item()
        return total

    def step(self, x):
        value = self.opt.step(lambda: self.closure(x))
        self.running = value if self.running is None else 0.9 * self.running + 0.1 * value
        return self.running


def main():
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(1)
    net = ViewNet()
    trainer = ViewTrainer(net, n_views=3, gen=gen)
    for it in range(100):
        x, _ = shapes(32, gen)
        r = trainer.step(x)
        if it % 20 == 0:
            print(f"iter {it:3d} contrastive {r:.4f} temp {net.log_temp.exp().item():.3f}")


if __name__ == "__main__":
    main()
