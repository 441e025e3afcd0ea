# gradwatch-corpus: kind=none
"""Residual 1-D net for seismic phase picking with EMA weights:  python -m resnet_inplace"""
import torch
import torch.nn.functional as F

from .blocks import MaskedResNet
from .upkeep import WeightEMA, WeightLimits


def traces(n, length=48):
    onset = torch.randint(8, length - 12, (n,))
    t = torch.arange(length)[None]
    after = (t >= onset[:, None]).float()
    s = 0.2 * torch.randn(n, length)
    s = s + after * torch.sin(0.9 * (t - onset[:, None])) * torch.exp(-0.1 * (t - onset[:, None]).clamp(min=0))
    valid = (t < length - torch.randint(0, 8, (n, 1))).float()
    return (s * valid)[:, None], valid[:, None], (onset // 8)


def score(ema, x, m, y):
    with torch.no_grad():
        return (ema.shadow(x, m).argmax(-1) == y).float().mean().item()


def main():
    torch.manual_seed(40)
    x, m, y = traces(600)
    xv, mv, yv = traces(150)
    net = MaskedResNet(classes=6)
    ema, limits = WeightEMA(net, 0.97), WeightLimits(net, bound=1.5)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    running = torch.zeros(())
    for it in range(120):
        b = torch.randint(0, len(x), (32,))
        logits = net(x[b], m[b])
        loss = F.cross_entropy(logits, y[b])
        opt.zero_grad()
        loss.backward()
        opt.step()
        limits.apply()
        ema.update(net)
        running.mul_(0.95).add_(loss.detach(), alpha=0.05)
        if it % 30 == 29:
            print(f"it {it + 1} loss {running.item():.3f} ema acc {score(ema, xv, mv, yv):.2f}")


main()
