# gradwatch-corpus: kind=none
"""Two-branch fusion net; hooks expose activations for a decorrelation term and gradient reports."""
import weakref
from contextlib import ExitStack
from typing import NamedTuple

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(52)


class Reading(NamedTuple):
    loss: float
    overlap: float
    gradients: dict


class FusionNet(nn.Module):
    def __init__(self, audio=12, motion=8, width=20, classes=4):
        super().__init__()
        self.audio = nn.Sequential(nn.Linear(audio, width), nn.ReLU())
        self.motion = nn.Sequential(nn.Linear(motion, width), nn.ReLU())
        self.head = nn.Linear(2 * width, classes)

    def forward(self, audio, motion):
        return self.head(torch.cat([self.audio(audio), self.motion(motion)], dim=-1))


class ActivationTap:
    """Latest output of every watched module, for as long as the tap is open."""

    def __init__(self, **modules):
        self.modules = modules
        self.names = weakref.WeakKeyDictionary({m: n for n, m in modules.items()})
        self.latest = weakref.WeakValueDictionary()
        self.outputs = []

    def _store(self, module, args, output):
        name = self.names[module]
        self.outputs.append(output)
        self.latest[name] = output

    def __enter__(self):
        with ExitStack() as stack:
            for module in self.modules.values():
                stack.callback(module.register_forward_hook(self._store).remove)
            stack.callback(self.outputs.clear)
            self.closing = stack.pop_all()
        return self

    def __exit__(self, *exc):
        return self.closing.__exit__(*exc)

    def __getitem__(self, name):
        return self.latest[name]


def overlap(a, b):
    a = (a - a.mean(0)) / (a.std(0) + 1e-4)
    b = (b - b.mean(0)) / (b.std(0) + 1e-4)
    return (a.t() @ b / len(a)).square().mean()


def recordings(n, anchors):
    y = torch.randint(0, 4, (n,))
    both = anchors[y] + torch.randn(n, 20)
    return both[:, :12], both[:, 12:], y


def train_step(net, opt, anchors):
    audio, motion, y = recordings(32, anchors)
    with ActivationTap(audio=net.audio, motion=net.motion) as tap:
        logits = net(audio, motion)
        gradients = {}
        with ExitStack() as handles:
            for name in ("audio", "motion"):
                keep = gradients.__setitem__
                hook = tap[name].register_hook(lambda g, name=name: keep(name, g.norm().item()))
                handles.callback(hook.remove)
            term = overlap(tap["audio"], tap["motion"])
            loss = F.cross_entropy(logits, y) + 0.1 * term
            opt.zero_grad()
            loss.backward()
        opt.step()
        return Reading(loss.item(), term.item(), gradients)


def main():
    net, anchors = FusionNet(), torch.randn(4, 20)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    readings = []
    for step in range(100):
        readings.append(train_step(net, opt, anchors))
        if step % 25 == 24:
            last = readings[-1]
            print(step + 1, round(last.loss, 4), round(last.overlap, 4), sorted(last.gradients))


if __name__ == "__main__":
    main()
