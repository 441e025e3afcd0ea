import math

import torch


class StreamingClips:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(3)
        self.t = 0

    def __iter__(self):
        c = self.cfg
        bins = torch.arange(c.n_mels).float()
        while True:
            y = torch.randint(0, c.n_keywords, (c.streams,), generator=self.gen)
            t = torch.arange(self.t, self.t + c.frames).float()
            centre = (y.float() + 1) * c.n_mels / (c.n_keywords + 1)
            bump = torch.exp(-0.5 * (bins - centre[:, None]) ** 2 / 4)
            mod = 1 + 0.3 * torch.sin(2 * math.pi * t / 9)
            mel = mod[None, :, None] * bump[:, None, :]
            self.t += c.frames
            yield mel + 0.2 * torch.randn(mel.shape, generator=self.gen), y
