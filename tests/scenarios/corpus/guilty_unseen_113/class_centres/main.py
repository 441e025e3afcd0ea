# gradwatch-corpus: kind=graph-chain
# holder: self.value | meter.value | m.value | self.meters[name].value | self.centres.meters[name].value | self.tracker.meters[name].value | tracker.meters[name].value | tracker.meters['tap'].value
# first-bad: 1
# notice: 5
"""Gesture classifier on IMU windows with a pull towards the running class centres."""
import torch

from meters import ClassTracker, RunningMean
from train import CentreTrainer, Encoder

torch.set_num_threads(1)
torch.manual_seed(31)

CLASSES = ("rest", "swipe", "circle", "tap")


def gestures(n):
    y = torch.arange(n) % len(CLASSES)
    y = y[torch.randperm(n)]
    t = torch.linspace(0, 3.14, 12)
    base = torch.stack([0 * t, torch.sin(t), torch.cos(2 * t), (t > 1.5).float()])
    x = base[y].unsqueeze(1).repeat(1, 3, 1) + 0.4 * torch.randn(n, 3, 12)
    return x.flatten(1), y


def main():
    x, y = gestures(576)
    tracker = ClassTracker(CLASSES, RunningMean, momentum=0.9)
    trainer = CentreTrainer(Encoder(36, 16, len(CLASSES)), tracker, pull=0.05)
    for epoch in range(7):
        order = torch.randperm(len(x)).split(32)
        stats = [trainer.step(x[b], y[b]) for b in order]
        ce, pull = (sum(s[i] for s in stats) / len(stats) for i in (0, 1))
        print(f"epoch {epoch} ce {ce:.4f} centre {pull:.4f} spread {tracker.spread():.3f}")


if __name__ == "__main__":
    main()
