import math

import torch


class Recording:
    """Endless band envelopes: slow voices plus coloured noise."""

    def __init__(self, voices, bands, seed):
        self.voices, self.bands = voices, bands
        self.gen = torch.Generator().manual_seed(seed)
        self.restart()

    def restart(self):
        self.t = 0
        self.noise = torch.zeros(self.voices, self.bands)
        self.phase = torch.rand(self.voices, self.bands, generator=self.gen) * 2 * math.pi

    def segment(self, frames=6):
        noisy, clean = [], []
        for _ in range(frames):
            voice = 0.5 + 0.5 * torch.sin(0.15 * self.t + self.phase)
            self.noise = 0.95 * self.noise + 0.15 * torch.randn(self.voices, self.bands, generator=self.gen)
            clean.append(voice)
            noisy.append(voice + self.noise)
            self.t += 1
        return torch.stack(noisy), torch.stack(clean)
