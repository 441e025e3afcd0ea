import torch


class GestureStream:
    """Binary event frames, one firing-rate pattern per gesture."""

    def __init__(self, n_pixels, n_classes, batch, frames):
        self.rates = 0.1 + 0.6 * torch.rand(n_classes, n_pixels)
        self.batch = batch
        self.frames = frames

    def next(self):
        y = torch.randint(0, self.rates.size(0), (self.batch,))
        p = self.rates[y].unsqueeze(0).expand(self.frames, -1, -1)
        return torch.bernoulli(p), y
