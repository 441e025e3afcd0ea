"""Keypoint clips: every gloss is a smooth trajectory prototype, signers differ in speed, place and size."""
import math

import torch


class KeypointClips:
    def __init__(self, glosses, seed, frames=24, joints=21):
        self.gen = torch.Generator().manual_seed(seed)
        self.frames, self.joints, self.glosses = frames, joints, glosses
        self.hand = torch.randn(joints, 2, generator=self.gen) * 0.3
        self.freq = torch.randint(1, 4, (glosses, 2), generator=self.gen).float()
        self.phase = torch.rand(glosses, 2, generator=self.gen) * 2 * math.pi

    def batch(self, n):
        gloss = torch.randint(self.glosses, (n,), generator=self.gen)
        lengths = torch.randint(self.frames // 2, self.frames + 1, (n,), generator=self.gen)
        t = torch.arange(self.frames).float()[None, :] / lengths[:, None]
        path = torch.sin(2 * math.pi * t[..., None] * self.freq[gloss][:, None] + self.phase[gloss][:, None])
        scale = 0.8 + 0.4 * torch.rand(n, 1, 1, 1, generator=self.gen)
        points = (path[:, :, None, :] + self.hand) * scale
        points = points + 0.1 * torch.randn(points.shape, generator=self.gen)
        return points, lengths, gloss
