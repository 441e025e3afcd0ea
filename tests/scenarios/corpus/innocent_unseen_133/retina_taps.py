# gradwatch-corpus: kind=none
import fnmatch
from contextlib import ExitStack

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class Tap:
    """Keeps what the chosen modules put out until it is closed."""

    def __init__(self, net, *patterns):
        self.seen = []
        self.handles = [m.register_forward_hook(self.catch) for name, m in net.named_modules()
                        if any(fnmatch.fnmatch(name, p) for p in patterns)]

    def catch(self, module, args, out):
        self.seen.append(out)

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()

    def sparsity(self):
        return torch.stack([o.abs().mean() for o in self.seen]).mean()


class Retina(nn.Module):
    def __init__(self):
        super().__init__()
        self.cones = nn.Conv2d(3, 6, 3)
        self.bipolar = nn.Conv2d(6, 6, 3, groups=2)
        self.ganglion = nn.Linear(6 * 16, 4)

    def forward(self, light):
        x = F.gelu(self.cones(light))
        x = F.gelu(self.bipolar(x))
        return self.ganglion(x.flatten(1))


class Experiment:
    def __init__(self, tap_every=5):
        self.net = Retina()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.03, momentum=0.9)
        self.tap_every = tap_every
        self.tap = None
        self.readings = []

    def trial(self, k, light, motion):
        with ExitStack() as stack:
            if k % self.tap_every == 0:
                self.tap = stack.enter_context(Tap(self.net, "cones", "bip*"))
            loss = F.cross_entropy(self.net(light), motion)
            if k % self.tap_every == 0:
                loss = loss + 0.02 * self.tap.sparsity()
                gains = []
                for out in self.tap.seen:
                    out.register_hook(lambda g, into=gains: into.append(g.abs().mean().item()))
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        if k % self.tap_every == 0:
            self.readings.append(sum(gains) / len(gains))
        return loss.item()


def stimuli(n):
    drift = torch.randn(4, 3, 8, 8)
    for k in range(n):
        motion = torch.randint(0, 4, (6,))
        yield k, drift[motion] + 0.7 * torch.randn(6, 3, 8, 8), motion


torch.manual_seed(24)
lab = Experiment()
for k, light, motion in stimuli(650):
    last = lab.trial(k, light, motion)
print(last, len(lab.readings), len(lab.net.cones._forward_hooks))
