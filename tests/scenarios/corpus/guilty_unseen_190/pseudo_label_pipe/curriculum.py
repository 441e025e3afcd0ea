import torch
import torch.nn.functional as F


class HardBatchQueue:
    """Keeps the worst batches of a cycle to train on them once more at its end."""

    def __init__(self, size=2):
        self.size = size
        self.entries = []

    def offer(self, x, y, per_sample):
        self.entries.append((per_sample.mean(), x, y))  # <- culprit
        self.entries.sort(key=lambda e: -e[0].item())
        del self.entries[self.size:]

    def drain(self):
        out, self.entries = self.entries, []
        return out


def spirals(n, gen, noise=0.1):
    y = torch.randint(0, 2, (n,), generator=gen)
    r = torch.rand(n, generator=gen)
    ang = 4.0 * r + 3.14159 * y
    pts = torch.stack([r * torch.cos(ang), r * torch.sin(ang)], 1)
    return pts + noise * torch.randn(n, 2, generator=gen), y


def per_sample_loss(logits, y):
    return F.cross_entropy(logits, y, reduction="none", label_smoothing=0.05)
