# gradwatch-corpus: kind=none
import argparse
from collections import defaultdict

import torch

from moco import MoCo


def augment(x, gen):
    scale = 0.8 + 0.4 * torch.rand(len(x), 1, 1, generator=gen)
    shift = int(torch.randint(-4, 5, (1,), generator=gen))
    return torch.roll(x * scale, shift, dims=-1) + 0.05 * torch.randn(x.shape, generator=gen)


def signals(n, length, gen):
    t = torch.linspace(0, 1, length)
    f = torch.randint(1, 9, (n, 1, 1), generator=gen)
    h = torch.randint(1, 4, (n, 1, 1), generator=gen)
    return torch.sin(6.2832 * f * t) + 0.5 * torch.sin(6.2832 * f * h * t)


class Meter:
    def __init__(self, momentum=0.95):
        self.momentum = momentum
        self.smooth = {}
        self.history = defaultdict(list)

    def update(self, **values):
        for k, v in values.items():
            v = v.detach()
            old = self.smooth.get(k, v)
            self.smooth[k] = self.momentum * old + (1 - self.momentum) * v
            self.history[k].append(self.smooth[k].item())

    def __str__(self):
        return " ".join(f"{k} {h[-1]:.4f}" for k, h in self.history.items())


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=450)
    ap.add_argument("--queue", type=int, default=256)
    ap.add_argument("--batch", type=int, default=32)
    args = ap.parse_args()
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(3)
    model = MoCo(dim=32, queue=args.queue)
    opt = torch.optim.SGD(model.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    meter = Meter()
    for step in range(args.steps):
        x = signals(args.batch, 48, gen)
        loss, logits = model(augment(x, gen), augment(x, gen))
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(loss=loss, top1=(logits.argmax(1) == 0).float().mean())
        if step % 75 == 0:
            print(step, meter)


if __name__ == "__main__":
    main()
