# gradwatch-corpus: kind=graph-held
# holder: self.trace[name] | self.trace | probe.trace | probe.trace[name] | probe.trace["block1"] | probe.trace["block2"] | trace
# first-bad: 1
"""Wheeze / crackle / normal from two-second lung sounds (course project, audio for medicine)."""
import random

import torch
from torch import nn

from probes import ActivationProbe

LABELS = ("normal", "wheeze", "crackle")


class LungNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.block1 = nn.Sequential(nn.Conv1d(1, width, 9, stride=4), nn.BatchNorm1d(width), nn.ReLU())
        self.block2 = nn.Sequential(nn.Conv1d(width, width * 2, 9, stride=4), nn.BatchNorm1d(width * 2), nn.ReLU())
        self.pool = nn.AdaptiveAvgPool1d(4)
        self.head = nn.Linear(width * 2 * 4, len(LABELS))

    def forward(self, sound):
        z = self.pool(self.block2(self.block1(sound)))
        return self.head(z.flatten(1))


def breathe(n, rng, samples=512):
    """n synthetic breaths with a label each."""
    t = torch.linspace(0, 2, samples)
    sounds, labels = [], []
    for _ in range(n):
        label = rng.randrange(3)
        breath = torch.randn(samples) * (0.3 + 0.2 * torch.sin(3.1 * t))
        if label == 1:
            pitch = rng.uniform(40, 90)
            breath = breath + 0.5 * torch.sin(pitch * t)
        elif label == 2:
            for _ in range(rng.randint(4, 9)):
                at = rng.randrange(samples - 12)
                breath[at:at + 12] += 1.5 * torch.exp(-torch.arange(12) / 3.0)
        sounds.append(breath)
        labels.append(label)
    return torch.stack(sounds).unsqueeze(1), torch.tensor(labels)


def fit(model, steps, rng):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)
    hits = seen = 0
    for step in range(1, steps + 1):
        sounds, labels = breathe(12, rng)
        optimizer.zero_grad()
        logits = model(sounds)
        loss = criterion(logits, labels)
        loss.backward()
        optimizer.step()
        hits += (logits.argmax(1) == labels).sum().item()
        seen += len(labels)
        if step % 50 == 0:
            print(f"step {step}: loss {loss.item():.3f}, accuracy {hits / seen:.3f}")
            hits = seen = 0


def main():
    torch.manual_seed(90)
    rng = random.Random(90)
    model = LungNet()
    with ActivationProbe(model, ["block1", "block2"]) as probe:
        fit(model, steps=250, rng=rng)
    for name, (mean, dead) in probe.summary().items():
        print(f"{name}: mean activation {mean:.3f}, silent channels {dead}")


if __name__ == "__main__":
    main()
