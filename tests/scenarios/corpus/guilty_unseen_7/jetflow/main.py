# gradwatch-corpus: kind=graph-held
# holder: act | relative
# first-bad: 1
"""Jet tagging with a deep set; prints activation gradient telemetry."""
import sys

import torch
import torch.nn.functional as F

from showers import ShowerToy
from tagger import DeepSetTagger


def run(steps=350):
    torch.manual_seed(99)
    net = DeepSetTagger()
    opt = torch.optim.RAdam(net.parameters(), lr=3e-3)
    sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=6e-3, total_steps=steps)
    right = seen = 0
    for it, (parts, mask, y) in enumerate(ShowerToy()):
        if it == steps:
            break
        out = net(parts, mask)
        nll = F.cross_entropy(out, y)
        opt.zero_grad()
        nll.backward()
        opt.step()
        sched.step()
        right += int((out.argmax(-1) == y).sum())
        seen += len(y)
        if (it + 1) % 70 == 0:
            print(f"{it + 1:4d}/{steps} nll {nll.item():.3f} acc {right / seen:.3f} | {net.telemetry()}")
            right = seen = 0
    return 0


if __name__ == "__main__":
    sys.exit(run())
