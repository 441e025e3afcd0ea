import torch


class NoisyStream:
    """Endless stream of magnitude frames; utterances last the whole run."""

    def __init__(self, cfg):
        self.gen = torch.Generator().manual_seed(cfg.seed + 1)
        self.cfg = cfg
        self.phase = torch.rand(cfg.batch, 1, 1, generator=self.gen) * 6.28
        self.freqs = torch.linspace(0.05, 0.8, cfg.bins)
        self.clock = 0

    def __iter__(self):
        return self

    def __next__(self):
        cfg = self.cfg
        t = torch.arange(self.clock, self.clock + cfg.chunk).view(1, -1, 1).float()
        clean = torch.sin(self.phase + t * self.freqs).abs()
        noise = torch.rand(clean.shape, generator=self.gen) * 0.6
        self.clock += cfg.chunk
        return clean + noise, clean
