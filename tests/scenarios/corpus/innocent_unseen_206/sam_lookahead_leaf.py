# gradwatch-corpus: kind=none
from collections import defaultdict, deque

import torch
from torch import nn
import torch.nn.functional as F


class LeafNet(nn.Module):
    def __init__(self, classes=6):
        super().__init__()
        self.stem = nn.Conv2d(2, 8, 3, padding=1)
        self.norm = nn.GroupNorm(2, 8)
        self.fine = nn.Linear(8 * 25, classes)
        self.coarse = nn.Linear(8 * 25, 2)

    def forward(self, x):
        h = F.max_pool2d(F.silu(self.norm(self.stem(x))), 2).flatten(1)
        return self.fine(h), self.coarse(h)


class SAM:
    """Ascend, take the gradient there, come back, descend; slow weights follow every k steps."""

    def __init__(self, model, lr, rho=0.05, k=5, alpha=0.5):
        self.params = [p for p in model.parameters() if p.requires_grad]
        self.base = torch.optim.SGD(self.params, lr=lr, momentum=0.9)
        self.rho, self.k, self.alpha = rho, k, alpha
        self.state = defaultdict(dict)
        self.steps = 0
        for p in self.params:
            self.state[p]["slow"] = p.detach().clone()

    @torch.no_grad()
    def climb(self):
        norm = torch.stack([p.grad.norm() for p in self.params]).norm()
        scale = self.rho / (norm + 1e-12)
        for p in self.params:
            self.state[p]["kick"] = scale * p.grad
            p.add_(self.state[p]["kick"])
        return norm

    @torch.no_grad()
    def descend(self):
        for p in self.params:
            p.sub_(self.state[p].pop("kick"))
        self.base.step()
        self.steps += 1
        if self.steps % self.k == 0:
            for p in self.params:
                slow = self.state[p]["slow"]
                slow.add_(p - slow, alpha=self.alpha)
                p.copy_(slow)

    def zero(self):
        self.base.zero_grad()


def leaves(shapes, n, gen):
    label = torch.randint(0, len(shapes), (n,), generator=gen)
    known = torch.rand(n, generator=gen) < 0.7
    x = shapes[label] + 0.8 * torch.randn(n, 2, 10, 10, generator=gen)
    return x, label, known


def objective(model, x, label, known):
    fine, coarse = model(x)
    per = F.cross_entropy(fine, label, reduction="none")
    a = (per * known).sum() / known.sum().clamp(min=1)
    b = F.cross_entropy(coarse, label % 2)
    return a + 0.5 * b, per


def main():
    torch.manual_seed(110)
    gen = torch.Generator().manual_seed(110)
    shapes = torch.randn(6, 2, 10, 10, generator=gen)
    model = LeafNet()
    sam = SAM(model, lr=0.01)
    sharpness = deque(maxlen=60)
    norms, running = [], torch.zeros(())
    for step in range(420):
        batch = leaves(shapes, 24, gen)
        first, per = objective(model, *batch)
        sam.zero()
        first.backward()
        norms.append(sam.climb())
        second, per_up = objective(model, *batch)
        sam.zero()
        second.backward()
        sam.descend()
        sharpness.append((per_up - per).detach().mean())
        running.mul_(0.95).add_(0.05 * first.detach())
        if step % 70 == 69:
            print(step + 1, f"loss {running.item():.4f} sharpness {torch.stack(list(sharpness)).mean():.4f}",
                  f"norm {torch.stack(norms).mean():.3f}")
            norms.clear()


if __name__ == "__main__":
    main()
