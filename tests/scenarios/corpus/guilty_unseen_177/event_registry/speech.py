import torch


class Utterances:
    def __init__(self, seed, frames):
        self.gen = torch.Generator().manual_seed(seed)
        self.frames = frames
        self.mix = torch.randn(4, 1, generator=self.gen)

    def epoch(self, batches, size):
        t = torch.arange(self.frames)
        for _ in range(batches):
            phase = 6.3 * torch.rand(size, 1, generator=self.gen)
            rate = 0.3 + 0.5 * torch.rand(size, 1, generator=self.gen)
            energy = torch.sin(rate * t + phase)
            x = self.mix * energy.unsqueeze(1)
            x = x + 0.4 * torch.randn(size, 4, self.frames, generator=self.gen)
            yield x, (energy > 0.5).float()
