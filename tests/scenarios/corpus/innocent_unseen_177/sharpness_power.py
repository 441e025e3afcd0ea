# gradwatch-corpus: kind=none
"""Follows the sharpest curvature direction of a small solubility network
while it trains, and adds the curvature to the loss."""
from functools import lru_cache, partial

import torch
from torch import nn


def molecules(seed, n=512):
    g = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 8, generator=g)
    y = (x[:, 0] * x[:, 1]).tanh() + 0.5 * x[:, 2:5].sum(1).sin()
    return x, (y + 0.05 * torch.randn(n, generator=g)).unsqueeze(1)


class Curvature:
    def __init__(self, params):
        self.params = params
        self.direction = [torch.randn_like(p) for p in params]
        self.seen = []

    def unit(self, vectors):
        norm = sum(v.square().sum() for v in vectors).sqrt() + 1e-9
        return [v / norm for v in vectors]

    def __call__(self, grads):
        d = self.unit(self.direction)
        hv = torch.autograd.grad(grads, self.params, grad_outputs=d, create_graph=True)
        top = sum((a * b).sum() for a, b in zip(d, hv))
        self.direction = self.unit([h.detach() for h in hv])
        self.seen.append((top, hv))
        return top

    def pop_mean(self):
        tops = [top for top, _ in self.seen]
        self.seen = []
        return (sum(tops) / len(tops)).item()


def main(iterations=540, every=30):
    torch.manual_seed(111)
    x, y = molecules(112)
    net = nn.Sequential(nn.Linear(8, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    params = [p for p in net.parameters()]
    opt = torch.optim.SGD(params, lr=0.05, momentum=0.8)
    curvature = Curvature(params)

    def features(net, version, block):
        return net[:2](x[block * 64:(block + 1) * 64])

    hidden = lru_cache(maxsize=12)(partial(features, net))
    for it in range(iterations):
        block = it % 8
        h = hidden(it, block)
        mse = nn.functional.mse_loss(net[2:](h), y[block * 64:(block + 1) * 64])
        l2 = 1e-3 * hidden(it, block).square().mean()
        loss = mse + l2
        grads = torch.autograd.grad(loss, params, create_graph=True)
        top = curvature(grads)
        total = loss + 0.002 * top.clamp(min=0)
        opt.zero_grad()
        for p, g in zip(params, torch.autograd.grad(total, params)):
            p.grad = g
        nn.utils.clip_grad_norm_(params, 1.0)
        opt.step()
        if it % every == every - 1:
            mean = curvature.pop_mean()
            if it % (3 * every) == 3 * every - 1:
                print(f"{it + 1} mse {mse.item():.4f} curvature {mean:.3f} cache {hidden.cache_info()}")


if __name__ == "__main__":
    main()
