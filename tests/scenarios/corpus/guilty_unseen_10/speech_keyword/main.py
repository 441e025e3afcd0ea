# gradwatch-corpus: kind=graph-held
# holder: self.rms | self.rms[name] | probe.rms | probe.rms[name] | probe.rms["stem"] | self.rms["stem"] | self.probe.rms | trainer.probe.rms
# first-bad: 1
"""Small-footprint keyword spotting (DS-CNN on log-mel frames); the probe tells us about layers that die, which
happened a lot with the int8-friendly initialisation."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
from torch import nn

from net import KeywordNet
from probe import ActivationProbe

WORDS = ["yes", "no", "up", "down", "left", "right", "on", "off"]


class MelSource:
    def __init__(self, n_mels=20, frames=40, seed=21):
        self.g = torch.Generator().manual_seed(seed)
        self.templates = torch.randn(len(WORDS), n_mels, frames, generator=self.g)

    def sample(self, n):
        y = torch.randint(0, len(WORDS), (n,), generator=self.g)
        x = self.templates[y]
        shift = int(torch.randint(-4, 5, (1,), generator=self.g))
        x = torch.roll(x, shift, dims=-1)
        return x + 1.5 * torch.randn(x.shape, generator=self.g), y


@torch.no_grad()
def accuracy(model, source, n=200):
    model.eval()
    x, y = source.sample(n)
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def train(steps=260, batch=16):
    torch.manual_seed(2)
    source = MelSource()
    model = KeywordNet(n_words=len(WORDS))
    probe = ActivationProbe().attach(model, (nn.Conv1d,))
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    ce = nn.CrossEntropyLoss(label_smoothing=0.05)
    for step in range(steps):
        x, y = source.sample(batch)
        loss = ce(model(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 65 == 64:
            print(f"{step + 1}: loss {loss.item():.3f} acc {accuracy(model, source):.2f} | {probe.summary()}")
            if probe.dead():
                print("   dead layers:", probe.dead())
    probe.detach_all()


if __name__ == "__main__":
    train()
