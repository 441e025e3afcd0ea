# gradwatch-corpus: kind=graph-held
# holder: self.values | meters.values | meters.values["total"]
# first-bad: 1
"""Multi-label tagging of bird songs on small mel patches."""
import json
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SPECIES = ["wren", "robin", "blackbird", "chiffchaff", "dunnock"]


class Meters:
    """smoothed numbers for the progress line"""

    def __init__(self, beta=0.95):
        self.beta = beta
        self.values = {}
        self.counts = {}

    def update(self, name, value):
        if name not in self.values:
            self.values[name] = value
            self.counts[name] = 1
            return
        self.values[name] = self.beta * self.values[name] + (1 - self.beta) * value  # <- culprit
        self.counts[name] += 1

    def line(self):
        return {k: round(float(v), 4) for k, v in self.values.items()}


class PatchNet(nn.Module):
    def __init__(self, n_out):
        super().__init__()
        self.front = nn.Sequential(
            nn.Conv2d(1, 10, 3, stride=2, padding=1),
            nn.GroupNorm(2, 10),
            nn.SiLU(),
            nn.Conv2d(10, 16, 3, stride=2, padding=1),
            nn.SiLU(),
        )
        self.tags = nn.Linear(16, n_out)
        self.loud = nn.Linear(16, 1)

    def forward(self, mel):
        h = self.front(mel).mean(dim=(2, 3))
        return self.tags(h), self.loud(h)[:, 0]


def make_patches(n, gen):
    tags = (torch.rand(n, len(SPECIES), generator=gen) < 0.3).float()
    mel = 0.3 * torch.randn(n, 1, 20, 32, generator=gen)
    for s in range(len(SPECIES)):
        tone = torch.sin(torch.arange(32) * (0.4 + 0.35 * s))
        mel[:, 0, 4 * s:4 * s + 3] += tags[:, s, None, None] * tone
    loud = mel.abs().mean(dim=(1, 2, 3)) * 3
    return mel, tags, loud


def train():
    gen = torch.Generator().manual_seed(9)
    torch.manual_seed(9)
    mel, tags, loud = make_patches(800, gen)
    net = PatchNet(len(SPECIES))
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    meters = Meters()
    lines = []
    batch = 40
    total_steps = 120

    for step in range(total_steps):
        pick = torch.randint(0, len(mel), (batch,), generator=gen)
        for g in opt.param_groups:
            g["lr"] = 4e-3 * 0.5 * (1 + math.cos(math.pi * step / total_steps))
        tag_out, loud_out = net(mel[pick])
        tag_loss = F.binary_cross_entropy_with_logits(tag_out, tags[pick])
        loud_loss = F.smooth_l1_loss(loud_out, loud[pick])
        loss = tag_loss + 0.5 * loud_loss
        opt.zero_grad()
        loss.backward()
        opt.step()

        with torch.no_grad():
            hit = ((tag_out > 0).float() == tags[pick]).float().mean()
        meters.update("total", loss)  # <- culprit
        meters.update("loud", loud_loss.item())
        meters.update("hit", hit.item())
        if step % 20 == 19:
            lines.append({"step": step + 1, **meters.line()})
    return lines


if __name__ == "__main__":
    for entry in train():
        print(json.dumps(entry))
