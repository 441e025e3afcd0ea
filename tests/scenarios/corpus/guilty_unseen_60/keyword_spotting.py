# gradwatch-corpus: kind=memory-climb
# holder: self._cache | train_ds._cache
# first-bad: 1
# notice: 100
"""Keyword spotting from raw audio, a notebook turned into a script.

Spectrograms are the slow part, so the dataset keeps those it has computed.
"""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, Dataset

torch.set_num_threads(1)

WORDS = ["yes", "no", "up", "down"]
SR = 2000
CLIP = 2000


def synth_clip(label, g):
    """A chirp whose slope depends on the word, with noise."""
    t = torch.arange(CLIP) / SR
    f0 = 100 + 60 * label + 10 * torch.rand(1, generator=g)
    phase = 2 * math.pi * (f0 * t + 40 * (label - 1.5) * t ** 2)
    return torch.sin(phase) + 0.2 * torch.randn(CLIP, generator=g)


def log_spectrogram(wave, n_fft=128, hop=40):
    spec = torch.stft(wave, n_fft, hop, window=torch.hann_window(n_fft), return_complex=True)
    return torch.log1p(spec.abs()).unsqueeze(0)


class SpeechCommands(Dataset):
    def __init__(self, n, train, seed):
        g = torch.Generator().manual_seed(seed)
        self.labels = [i % len(WORDS) for i in range(n)]
        self.waves = [synth_clip(y, g) for y in self.labels]
        self.train = train
        self.rng = random.Random(seed)
        self._cache = {}

    def __len__(self):
        return len(self.waves)

    def __getitem__(self, idx):
        shift = self.rng.randint(-400, 400) if self.train else 0
        gain = self.rng.uniform(0.7, 1.3) if self.train else 1.0
        key = (idx, shift, gain)
        if key not in self._cache:
            wave = torch.roll(self.waves[idx], shift) * gain
            self._cache[key] = log_spectrogram(wave)  # <- culprit
        return self._cache[key], self.labels[idx]


class SmallCNN(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, stride=2)
        self.conv2 = nn.Conv2d(6, 12, 5, stride=2)
        self.fc = nn.Linear(12, classes)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = F.relu(self.conv2(x))
        return self.fc(x.mean(dim=(2, 3)))


@torch.no_grad()
def validate(model, loader):
    model.eval()
    right = total = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
        total += len(y)
    model.train()
    return right / total


def main():
    torch.manual_seed(1)
    train_ds = SpeechCommands(320, train=True, seed=1)
    valid_ds = SpeechCommands(64, train=False, seed=2)
    train_dl = DataLoader(train_ds, batch_size=16, shuffle=True, num_workers=0)
    valid_dl = DataLoader(valid_ds, batch_size=32)

    model = SmallCNN(len(WORDS))
    optimizer = torch.optim.AdamW(model.parameters(), lr=4e-3)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.05)

    for epoch in range(12):
        running = 0.0
        for x, y in train_dl:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            running += loss.item()
        print(f"epoch {epoch:2d} loss {running / len(train_dl):.4f} valid acc {validate(model, valid_dl):.3f}")


if __name__ == "__main__":
    main()
