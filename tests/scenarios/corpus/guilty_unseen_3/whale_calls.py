# gradwatch-corpus: kind=memory-climb
# holder: self._done | store._done | calls._done
# first-bad: 1
"""Whale call detector. Spectrograms are costly, so every augmented clip is computed once and remembered."""
import random
import threading

import numpy as np
import torch
from torch import nn


class CallStore:
    """clips with time shift and gain augmentation"""

    def __init__(self, clips, seconds=8192, seed=1):
        rng = np.random.default_rng(seed)
        self.kind = rng.integers(0, 2, clips)
        t = np.arange(seconds) / 1000
        self.wave = np.stack([np.sin(2 * np.pi * (40 + 60 * k + 8 * t) * t) for k in self.kind]).astype(np.float32)
        self.wave += 0.5 * rng.standard_normal(self.wave.shape).astype(np.float32)
        self._done = {}
        self._lock = threading.Lock()
        self.dice = random.Random(seed)

    def __len__(self):
        return len(self.kind)

    def _spectrogram(self, clip, shift, gain):
        y = torch.from_numpy(np.roll(self.wave[clip], int(shift * 1000)) * gain)
        return torch.stft(y, 128, hop_length=64, window=torch.hann_window(128), return_complex=True).abs().log1p()

    def __getitem__(self, clip):
        shift, gain = self.dice.uniform(0, 2.0), self.dice.uniform(0.7, 1.4)
        key = (clip, shift, gain)
        with self._lock:
            if key not in self._done:
                self._done[key] = self._spectrogram(clip, shift, gain)  # <- culprit
            return self._done[key], int(self.kind[clip])


def draw(store, n):
    spec, kind = zip(*(store[store.dice.randrange(len(store))] for _ in range(n)))
    return torch.stack(spec), torch.tensor(kind)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.freq = nn.Conv1d(65, 12, 5, stride=2)
        self.out = nn.Linear(12, 2)

    def forward(self, s):
        return self.out(torch.relu(self.freq(s)).amax(-1))


if __name__ == "__main__":
    torch.manual_seed(1)
    calls = CallStore(60)
    det = Detector()
    opt = torch.optim.Adam(det.parameters(), lr=1e-3)
    for it in range(340):
        spec, kind = draw(calls, 18)
        ce = nn.functional.cross_entropy(det(spec), kind)
        opt.zero_grad()
        ce.backward()
        opt.step()
        if it % 68 == 0:
            print(f"it {it}: ce {ce.item():.4f}")
