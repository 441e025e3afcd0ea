import math

import torch


class ChirpBooth:
    """Streams band energies of a slowly gliding chirp for a handful of listeners."""

    def __init__(self, channels, listeners):
        self.centres = torch.linspace(0.0, 1.0, channels)
        self.angle = torch.rand(listeners) * 2 * math.pi
        self.glide = 0.05 + 0.1 * torch.rand(listeners)

    def listen(self):
        self.angle = (self.angle + self.glide) % (2 * math.pi)
        pitch = 0.5 + 0.45 * torch.sin(self.angle)
        distance = pitch.unsqueeze(1) - self.centres.unsqueeze(0)
        cochleagram = torch.exp(-30.0 * distance ** 2)
        cochleagram = cochleagram + 0.05 * torch.randn_like(cochleagram)
        phase = torch.stack([torch.sin(self.angle), torch.cos(self.angle)], dim=1)
        return cochleagram, phase
