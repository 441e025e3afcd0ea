import math

import torch


class KeypointClips:
    """Each sign is a set of joint trajectories with its own frequencies and phases."""

    def __init__(self, num_signs, joints, frames):
        self.num_signs, self.frames = num_signs, frames
        self.freq = 0.5 + 2.0 * torch.rand(num_signs, joints * 2)
        self.phase = 2 * math.pi * torch.rand(num_signs, joints * 2)

    def clips(self, n, jitter=0.15):
        y = torch.randint(0, self.num_signs, (n,))
        t = torch.linspace(0, 2, self.frames)[None, :, None]
        speed = 1 + 0.1 * torch.randn(n, 1, 1)
        x = torch.sin(self.freq[y][:, None] * t * speed * math.pi + self.phase[y][:, None])
        return x + jitter * torch.randn_like(x), y

    def augment(self, x, drop=0.15):
        keep = (torch.rand(x.size(0), 1, x.size(2)) > drop).float()
        return x * keep + 0.05 * torch.randn_like(x)
