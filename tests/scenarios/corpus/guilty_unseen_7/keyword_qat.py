# gradwatch-corpus: kind=graph-held
# holder: FakeQuant.observed | cls.observed | FakeQuant.observed[name] | log
# first-bad: 1
"""Quantisation aware training of a small keyword spotter (log-mel input, int8 activations).

The activation ranges are gathered while training so that the exporter can pick a clipping percentile.
"""
import argparse
from collections import defaultdict

import torch
import torch.nn.functional as F
from torch import nn


class FakeQuant(torch.autograd.Function):
    observed = defaultdict(list)

    @staticmethod
    def forward(ctx, act, name, bits, span):
        log = FakeQuant.observed[name]
        log.append(act)  # <- culprit
        levels = 2 ** bits - 1
        ctx.save_for_backward(act)
        ctx.span = span
        return torch.round(act.clamp(0, span) / span * levels) * span / levels

    @staticmethod
    def backward(ctx, g):
        (act,) = ctx.saved_tensors
        inside = (act >= 0) & (act <= ctx.span)
        return g * inside, None, None, None

    @classmethod
    def percentile(cls, name, p, last=8):
        points = cls.observed[name][-last:]
        flat = torch.cat([t.flatten()[::17] for t in points])
        return flat.quantile(p).item()


class QuantReLU(nn.Module):
    def __init__(self, name, bits=8):
        super().__init__()
        self.name, self.bits, self.span = name, bits, 6.0

    def forward(self, x):
        return FakeQuant.apply(x, self.name, self.bits, self.span)


def spotter(classes):
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2, padding=1), QuantReLU("stem"),
        nn.Conv2d(8, 16, 3, stride=2, padding=1), QuantReLU("mid"),
        nn.AdaptiveAvgPool2d(4), nn.Flatten(),
        nn.Linear(256, 48), QuantReLU("fc"), nn.Linear(48, classes))


def utterances(n, classes, gen):
    label = torch.randint(classes, (n,), generator=gen)
    mel = torch.randn(n, 1, 32, 24, generator=gen) * 0.6
    rows = torch.arange(32)[None, :, None]
    mel[:, 0] += 2.0 * torch.exp(-((rows - 3 * label[:, None, None]) ** 2) / 6.0)
    return mel, label


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=320)
    ap.add_argument("--batch", type=int, default=12)
    ap.add_argument("--classes", type=int, default=10)
    a = ap.parse_args()
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(4)
    net = spotter(a.classes)
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    hits = 0
    for it in range(a.steps):
        mel, label = utterances(a.batch, a.classes, gen)
        logits = net(mel)
        ce = F.cross_entropy(logits, label, label_smoothing=0.05)
        opt.zero_grad(set_to_none=True)
        ce.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        hits += (logits.argmax(1) == label).sum().item()
        if it % 80 == 79:
            with torch.no_grad():
                for layer in net:
                    if isinstance(layer, QuantReLU):
                        layer.span = max(1.0, FakeQuant.percentile(layer.name, 0.999))
            spans = {m.name: round(m.span, 2) for m in net if isinstance(m, QuantReLU)}
            print(f"it {it + 1} ce {ce.item():.3f} acc {hits / (80 * a.batch):.3f} spans {spans}")
            hits = 0


if __name__ == "__main__":
    main()
