# gradwatch-corpus: kind=none
import contextlib

import torch
import torch.nn.functional as F

from blocks import SpectrumNet
from probes import ActivationProbe

GROUPS = ["CH3", "CH2", "OCH3", "ArH", "CHO"]
SHIFT = torch.tensor([0.9, 1.6, 3.6, 7.2, 9.7])


def spectra(n, g, points=256):
    ppm = torch.linspace(0, 11, points)
    has = (torch.rand(n, len(GROUPS), generator=g) < 0.45).float()
    s = SHIFT + 0.25 * torch.randn(n, len(GROUPS), generator=g)
    lines = 0.01 / ((ppm - s[..., None]) ** 2 + 0.01)
    x = (has[..., None] * lines).sum(1)
    return x + 0.03 * torch.randn(x.shape, generator=g), has


def main(iters=100):
    torch.manual_seed(14)
    g = torch.Generator().manual_seed(14)
    net = SpectrumNet(len(GROUPS))
    opt = torch.optim.AdamW(net.parameters(), 2e-3)
    warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda k: min(1.0, (k + 1) / 20))
    probe_out = []
    for it in range(iters):
        x, y = spectra(12, g)
        look = it % 25 == 0
        with ActivationProbe(net.blocks) if look else contextlib.nullcontext() as probe:
            logits = net(x)
            loss = F.binary_cross_entropy_with_logits(logits, y)
            opt.zero_grad()
            loss.backward()
            if look:
                probe_out.append(probe.stats())
        opt.step()
        warm.step()
        if it % 25 == 24:
            net.eval()
            with torch.no_grad():
                xv, yv = spectra(64, g)
                acc = ((net(xv) > 0).float() == yv).float().mean().item()
            net.train()
            print(it + 1, f"bce {loss.item():.3f} acc {acc:.3f} block std {probe_out[-1]}")


if __name__ == "__main__":
    main()
