# gradwatch-corpus: kind=graph-held
# holder: self.sums[key] | self.sums | cb.sums | self.callbacks[1].sums['loss'] | self.callbacks[1].sums
# first-bad: 1
"""Sound event detection on synthetic log-mel patches: clip tag + frame activity."""
import torch
from torch import nn

from callbacks import RunningTotals, Throttle
from loop import Loop


def clips(batch=8, mels=24, frames=32, events=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    while True:
        spec = 0.3 * torch.randn(batch, 1, mels, frames, generator=g)
        act = torch.zeros(batch, events, frames)
        for b in range(batch):
            e = int(torch.randint(0, events, (1,), generator=g))
            s = int(torch.randint(0, frames - 8, (1,), generator=g))
            act[b, e, s:s + 8] = 1
            spec[b, 0, e * 6:e * 6 + 6, s:s + 8] += 1.0
        yield spec, act


class SoundEvents(nn.Module):
    def __init__(self, events=4):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d((4, 1)),
            nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(), nn.AvgPool2d((6, 1)))
        self.frame = nn.Conv1d(16, events, 1)

    def forward(self, spec):
        return self.frame(self.conv(spec).squeeze(2))

    def training_step(self, batch):
        spec, act = batch
        z = self(spec)
        strong = nn.functional.binary_cross_entropy_with_logits(z, act)
        weak = nn.functional.binary_cross_entropy_with_logits(z.amax(-1), act.amax(-1))
        return {"loss": strong + 0.5 * weak, "strong": strong, "weak": weak, "frames": z.detach()}


if __name__ == "__main__":
    torch.manual_seed(8)
    Loop(SoundEvents(), [Throttle(50), RunningTotals()], lr=3e-3).run(clips(), steps=220)
