import random
from typing import Callable, Dict, NamedTuple, Tuple

import torch


class Perturb(NamedTuple):
    shift: int
    gain: float


class Augment:
    def __init__(self, rng: random.Random, max_shift: int, gain: Tuple[float, float]):
        self.rng, self.max_shift, self.gain = rng, max_shift, gain

    def draw(self) -> Perturb:
        return Perturb(self.rng.randint(-self.max_shift, self.max_shift), self.rng.uniform(*self.gain))


def log_spectrogram(wave: torch.Tensor, n_fft: int, hop: int) -> torch.Tensor:
    frames = wave.unfold(0, n_fft, hop) * torch.hann_window(n_fft)
    return torch.log1p(torch.fft.rfft(frames).abs()).t().contiguous()


class FeatureCache:
    def __init__(self, extract: Callable[[torch.Tensor], torch.Tensor]):
        self.extract = extract
        self._store: Dict[tuple, torch.Tensor] = {}
        self.hits = self.asked = 0

    @property
    def hit_rate(self) -> float:
        return self.hits / max(1, self.asked)

    def get(self, uid: int, wave: torch.Tensor, p: Perturb) -> torch.Tensor:
        key = (uid, p.shift, p.gain)
        self.asked += 1
        if key in self._store:
            self.hits += 1
            return self._store[key]
        feats = self.extract(torch.roll(wave, p.shift) * p.gain)
        self._store[key] = feats  # <- culprit
        return feats
