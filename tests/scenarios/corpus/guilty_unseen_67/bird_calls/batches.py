from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor, nn


@dataclass
class CallBatch:
    encoder: nn.Module
    spectra: Tensor
    species: Tensor
    site: Tensor

    def __len__(self):
        return len(self.spectra)

    @cached_property
    def embedding(self):
        return self.encoder(self.spectra)  # <- culprit


class CallRecorder:
    """Synthetic spectra: a species band plus a site's hum."""

    def __init__(self, encoder, species, sites, bands=40, seed=4):
        self.encoder = encoder
        self.gen = torch.Generator().manual_seed(seed)
        self.voice = torch.randn(species, bands, generator=self.gen)
        self.hum = 0.5 * torch.randn(sites, bands, generator=self.gen)

    def record(self, size):
        species = torch.randint(len(self.voice), (size,), generator=self.gen)
        site = torch.randint(len(self.hum), (size,), generator=self.gen)
        noise = torch.randn(size, self.voice.shape[1], generator=self.gen)
        return CallBatch(self.encoder, self.voice[species] + self.hum[site] + noise, species, site)
