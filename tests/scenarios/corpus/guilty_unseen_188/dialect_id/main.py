# gradwatch-corpus: kind=graph-held
# holder: self.margins | meter.margins | self.margins.data | meter.margins.data
# first-bad: 1
"""Dialect identification from formant tracks."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from meters import Meter

DIALECTS = 6


class DialectNet(nn.Module):
    def __init__(self, formants=4, width=24):
        super().__init__()
        self.norm = nn.InstanceNorm1d(formants)
        self.conv = nn.Conv1d(formants, width, 5, padding=2)
        self.attend = nn.Linear(width, 1)
        self.out = nn.Linear(width, DIALECTS)

    def forward(self, tracks):
        h = torch.relu(self.conv(self.norm(tracks))).transpose(1, 2)
        w = self.attend(h).softmax(1)
        return self.out((w * h).sum(1))


def speakers(gen, n=16, frames=24):
    label = torch.randint(0, DIALECTS, (n,), generator=gen)
    t = torch.linspace(0, 6.2832, frames)
    rate = 1 + label.float()[:, None, None] * 0.5
    phase = torch.arange(4)[None, :, None] * (0.3 + 0.2 * label[:, None, None])
    tracks = torch.sin(rate * t + phase)
    return tracks + 0.8 * torch.randn(n, 4, frames, generator=gen), label


def true_margin(logits, label):
    own = logits.gather(1, label[:, None]).squeeze(1)
    rival = logits.scatter(1, label[:, None], float("-inf")).max(1).values
    return own - rival


def main():
    torch.manual_seed(55)
    gen = torch.Generator().manual_seed(56)
    net = DialectNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    meter = Meter(["loss", "accuracy"])
    for step in range(450):
        tracks, label = speakers(gen)
        logits = net(tracks)
        margin = true_margin(logits, label)
        loss = F.cross_entropy(logits, label) + 0.1 * F.relu(1 - margin).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.update(margin, loss=loss.item(), accuracy=(margin > 0).float().mean().item())
        if step % 75 == 74:
            low, high = meter.margin_range()
            print(f"{step + 1} loss {meter.mean('loss'):.3f} acc {meter.mean('accuracy'):.2f} margin {low:.2f}..{high:.2f}")


if __name__ == "__main__":
    main()
