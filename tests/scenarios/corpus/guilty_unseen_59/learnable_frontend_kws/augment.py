"""Feature-domain augmentation. Transforms take and return (batch, frames, filters)."""
import torch


class Compose:
    def __init__(self, transforms):
        self.transforms = transforms

    def __call__(self, x):
        for t in self.transforms:
            x = t(x)
        return x


class GainJitter:
    """Scales whole batches now and then."""

    def __init__(self, probability):
        self.probability = probability

    def __call__(self, x):
        if torch.rand(()) < self.probability:
            return x * (0.8 + 0.4 * torch.rand(()))
        return x


class BandMask:
    """Frequency masking; the band gets one filter wider every epoch up to `max_width`."""

    def __init__(self, max_width):
        self.max_width = max_width
        self.width = 0

    def set_epoch(self, epoch):
        self.width = min(self.max_width, epoch)

    def __call__(self, x):
        if self.width == 0:
            return x
        filters = x.shape[-1]
        starts = torch.randint(filters - self.width, (x.shape[0],)).tolist()
        for row, start in enumerate(starts):
            x[row, :, start:start + self.width] = 0.0  # <- culprit
        return x
