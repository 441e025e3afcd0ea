# gradwatch-corpus: kind=memory-climb
# holder: self._specs | data._specs | loader.dataset._specs
"""Bird-song classifier; log-mel crops of synthetic recordings, random crop offsets as augmentation."""
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)
torch.manual_seed(52)

SR, CROP, N_FFT, HOP, N_MEL = 8000, 6000, 256, 48, 48


def mel_matrix():
    hz = torch.linspace(0, SR / 2, N_FFT // 2 + 1)
    to_mel = lambda f: 2595 * math.log10(1 + f / 700)
    pts = torch.linspace(to_mel(100), to_mel(SR / 2), N_MEL + 2)
    pts = 700 * (10 ** (pts / 2595) - 1)
    up = (hz - pts[:-2, None]) / (pts[1:-1] - pts[:-2])[:, None]
    down = (pts[2:, None] - hz) / (pts[2:] - pts[1:-1])[:, None]
    return torch.minimum(up, down).clamp(min=0)


class SongCrops(Dataset):
    def __init__(self, n_recordings=96, seconds=2, n_species=4):
        t = torch.arange(seconds * SR) / SR
        self.labels = torch.arange(n_recordings) % n_species
        rate = 3 + 2 * self.labels[:, None]
        base = 1000 + 500 * self.labels[:, None]
        self.waves = torch.sin(2 * torch.pi * base * t + 40 * torch.sin(2 * torch.pi * rate * t))
        self.waves += 0.2 * torch.randn_like(self.waves)
        self.mel, self.window = mel_matrix(), torch.hann_window(N_FFT)
        self._specs = {}

    def __len__(self):
        return len(self.waves)

    def spectrogram(self, k, offset):
        key = (k, offset)
        if key not in self._specs:
            clip = self.waves[k, offset : offset + CROP]
            power = torch.stft(clip, N_FFT, HOP, window=self.window, return_complex=True).abs() ** 2
            self._specs[key] = torch.log(self.mel @ power + 1e-5)  # <- culprit
        return self._specs[key]

    def __getitem__(self, k):
        offset = int(torch.randint(0, self.waves.size(1) - CROP, ()))  # <- culprit
        return self.spectrogram(k, offset)[None], self.labels[k]


def build():
    return nn.Sequential(
        nn.Conv2d(1, 6, 5, stride=3), nn.BatchNorm2d(6), nn.ReLU(),
        nn.Conv2d(6, 12, 3, stride=2), nn.ReLU(),
        nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(12, 4),
    )


def main(epochs=10):
    data = SongCrops()
    loader = DataLoader(data, batch_size=12, shuffle=True)
    model = build()
    opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for epoch in range(epochs):
        right, loss_sum = 0, 0.0
        for spec, y in loader:
            logits = model(spec)
            loss = F.cross_entropy(logits, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            right += (logits.argmax(1) == y).sum().item()
            loss_sum += loss.item()
        print(f"epoch {epoch} loss {loss_sum / len(loader):.3f} acc {right / len(data):.3f}")


if __name__ == "__main__":
    main()
