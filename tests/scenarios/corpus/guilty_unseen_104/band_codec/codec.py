import torch
from torch import nn
from stats import RoundThrough, StepSize


class BandCodec(nn.Module):
    def __init__(self, bands: int, latent: int):
        super().__init__()
        self.analysis = nn.Linear(bands, latent)
        self.synthesis = nn.Sequential(nn.Linear(latent, 32), nn.GELU(), nn.Linear(32, bands))
        self.gain_db = nn.Parameter(torch.full((latent,), -6.0))
        self.step_size = StepSize(torch.full((latent,), -6.0))

    def quantise(self, z):
        level = self.step_size.observe(self.gain_db)  # <- culprit
        step = torch.pow(10.0, level / 20.0)
        q = RoundThrough.apply(z / step)
        rate = torch.log2(1 + (z / step).abs()).mean()
        return q * step, rate

    def forward(self, spec):
        z, rate = self.quantise(self.analysis(spec))
        return self.synthesis(z), rate
