"""Log-mel features. The STFT is the slow part, so results are remembered."""
import numpy as np
import torch


def mel_filters(n_mels, n_fft, sr=8000):
    def to_mel(f):
        return 2595 * np.log10(1 + f / 700)

    def to_hz(m):
        return 700 * (10 ** (m / 2595) - 1)

    points = to_hz(np.linspace(to_mel(60), to_mel(sr / 2), n_mels + 2))
    bins = np.floor((n_fft + 1) * points / sr).astype(int)
    bank = np.zeros((n_mels, n_fft // 2 + 1), dtype=np.float32)
    for m in range(n_mels):
        lo, mid, hi = bins[m], max(bins[m + 1], bins[m] + 1), max(bins[m + 2], bins[m] + 2)
        for k in range(lo, min(hi, bank.shape[1])):
            bank[m, k] = (k - lo) / (mid - lo) if k <= mid else (hi - k) / max(hi - mid, 1)
    return bank


class FeatureBank:
    def __init__(self, n_fft, hop, n_mels):
        self.n_fft, self.hop = n_fft, hop
        self.window = torch.hann_window(n_fft)
        self.filters = torch.from_numpy(mel_filters(n_mels, n_fft))
        self._store = {}

    def __call__(self, clip_id, wave, shift, gain):
        key = (clip_id, shift, gain)  # <- culprit
        found = self._store.get(key)
        if found is None:
            found = self.compute(np.roll(wave, shift) * np.float32(gain))
            self._store[key] = found  # <- culprit
        return found

    def compute(self, wave):
        spec = torch.stft(torch.from_numpy(wave), self.n_fft, self.hop, window=self.window,
                          return_complex=True).abs().square()
        return np.log((self.filters @ spec).numpy() + np.float32(1e-5))
