import random

import torch
import torch.nn.functional as F


class SpeedPerturb:
    def __init__(self, lo, hi, seed=0):
        self.lo, self.hi = lo, hi
        self.rng = random.Random(seed)

    def draw(self):
        return self.rng.uniform(self.lo, self.hi)  # <- culprit


class LogSpec:
    """Log power spectrum; the STFT is the slow part, so results are remembered."""

    def __init__(self, n_fft=256, hop=80):
        self.n_fft, self.hop = n_fft, hop
        self.window = torch.hann_window(n_fft)
        self._memo = {}

    def _compute(self, wav, speed):
        wav = F.interpolate(wav[None, None], scale_factor=1.0 / speed, mode="linear", align_corners=False)[0, 0]
        spec = torch.stft(wav, self.n_fft, self.hop, window=self.window, return_complex=True)
        feats = spec.abs().pow(2).clamp_min(1e-6).log().t()
        return (feats - feats.mean(0)) / (feats.std(0) + 1e-5)

    @torch.no_grad()
    def __call__(self, utt, wav, speed):
        key = (utt, speed)  # <- culprit
        if key not in self._memo:
            self._memo[key] = self._compute(wav, speed)  # <- culprit
        return self._memo[key]
