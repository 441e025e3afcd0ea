# gradwatch-corpus: kind=memory-climb
# holder: self.rejected | feeder.rejected | rejected
"""Frame classifier on synthetic speech with on-the-fly loudness normalisation."""
import collections

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(11)


class ClippedSignal(ValueError):
    pass


class Normaliser:
    def __init__(self, target_rms=0.1, ceiling=0.95):
        self.target_rms = target_rms
        self.ceiling = ceiling

    def __call__(self, wave):
        spectrum = np.fft.rfft(wave, axis=1)
        tilt = np.linspace(1.0, 0.6, spectrum.shape[1])
        shaped = np.fft.irfft(spectrum * tilt, n=wave.shape[1], axis=1)
        gain = self.target_rms / (np.sqrt((shaped ** 2).mean()) + 1e-8)
        levelled = shaped * gain
        if np.abs(levelled).max() > self.ceiling:
            raise ClippedSignal(f"peak {np.abs(levelled).max():.2f} over {self.ceiling}")
        return levelled.astype(np.float32)


class Feeder:
    """Yields batches, leaving out recordings that do not pass the normaliser."""

    def __init__(self, normalise, seed=3, batch=8, length=8000):
        self.rng = np.random.default_rng(seed)
        self.normalise = normalise
        self.batch = batch
        self.length = length
        self.rejected = []

    def draw(self):
        label = int(self.rng.integers(0, 4))
        t = np.arange(self.length) / 8000.0
        wave = np.sin(2 * np.pi * (200 + 150 * label) * t)[None].repeat(2, 0)
        wave = wave + 0.2 * self.rng.standard_normal((2, self.length))
        if self.rng.random() < 0.4:
            wave[:, self.rng.integers(0, self.length)] += 60.0
        return wave, label

    def batches(self, n):
        for _ in range(n):
            waves, labels = [], []
            while len(waves) < self.batch:
                wave, label = self.draw()
                try:
                    waves.append(self.normalise(wave))
                except ClippedSignal as err:
                    self.rejected.append((label, err))  # <- culprit
                    continue
                labels.append(label)
            yield torch.from_numpy(np.stack(waves)), torch.tensor(labels)

    def summary(self):
        by_label = collections.Counter(label for label, _ in self.rejected)
        return dict(by_label), str(self.rejected[-1][1]) if self.rejected else ""


class FrameNet(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(2, 8, 64, stride=32), nn.ReLU(),
            nn.Conv1d(8, 16, 5, stride=3), nn.ReLU(),
            nn.AdaptiveAvgPool1d(4), nn.Flatten())
        self.head = nn.Linear(64, classes)

    def forward(self, x):
        return self.head(self.body(x))


def main():
    feeder = Feeder(Normaliser())
    net = FrameNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    lossfn = nn.CrossEntropyLoss()
    smooth = None
    for step, (x, y) in enumerate(feeder.batches(90)):
        loss = lossfn(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        smooth = loss.item() if smooth is None else 0.9 * smooth + 0.1 * loss.item()
        if step % 15 == 0:
            print(f"step {step} loss {smooth:.3f} rejected {len(feeder.rejected)}")
    print("rejected recordings:", *feeder.summary())


if __name__ == "__main__":
    main()
