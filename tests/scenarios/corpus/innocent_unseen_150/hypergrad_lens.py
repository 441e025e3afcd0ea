# gradwatch-corpus: kind=none
"""Lens grinding: sample weights are learned by unrolling ten steps of the inner fit and walking back through them."""
import torch
from torch import nn

torch.manual_seed(50)
torch.set_num_threads(1)


class Unroll:
    def __init__(self, x, y, weights_of, lr=0.3, depth=10):
        self.x, self.y = x, y
        self.weights_of = weights_of
        self.lr, self.depth = lr, depth
        self.warm = torch.zeros(x.shape[1])

    def inner_loss(self, theta, weights):
        return (weights * (self.x @ theta - self.y).square()).mean()

    def fit(self):
        theta = self.warm.clone().requires_grad_()
        weights = self.weights_of()
        path = [theta]
        for _ in range(self.depth):
            g, = torch.autograd.grad(self.inner_loss(path[-1], weights), path[-1], create_graph=True)
            path.append(path[-1] - self.lr * g)
        self.warm = path[-1].detach()
        return path


def lenses(n, dirty):
    theta = torch.tensor([1.0, -0.5, 0.3, 0.8])
    x = torch.randn(n, 4)
    y = x @ theta + 0.05 * torch.randn(n)
    y[:dirty] = torch.randn(dirty) * 2
    return x, y


x, y = lenses(60, 24)
xv, yv = lenses(40, 0)
logits = nn.Parameter(torch.zeros(60))
unroll = Unroll(x, y, lambda: 2 * torch.sigmoid(logits))
opt = torch.optim.Adam([logits], lr=0.1)
best = float("inf")
for step in range(120):
    path = unroll.fit()
    outer = torch.stack([nn.functional.mse_loss(xv @ theta, yv) for theta in path[-3:]]).mean()
    opt.zero_grad()
    outer.backward()
    opt.step()
    best = min(best, outer.item())
    if step % 24 == 23:
        w = torch.sigmoid(logits.detach())
        print(step, f"{outer.item():.5f}", f"dirty {w[:24].mean():.3f} clean {w[24:].mean():.3f}")
