# gradwatch-corpus: kind=second-backward
# first-bad: 14
import math
from dataclasses import dataclass

import torch
from torch import nn

from callbacks import FrontEndSensitivity, Progress


@dataclass
class Options:
    classes: int = 4
    clip: int = 256
    batch: int = 16
    iterations: int = 70
    lr: float = 4e-3
    probe_every: int = 14


class KeywordSpotter(nn.Module):
    def __init__(self, classes, filters=8):
        super().__init__()
        self.bank = nn.Conv1d(1, filters, 31, stride=4, bias=False)
        self.body = nn.Sequential(nn.Conv1d(filters, 16, 5), nn.ReLU(), nn.AdaptiveAvgPool1d(4), nn.Flatten())
        self.head = nn.Linear(64, classes)

    def forward(self, audio):
        energy = torch.log1p(self.bank(audio.unsqueeze(1)).pow(2))
        return self.head(self.body(energy))


class Microphone:
    """Chirps; the class is the direction and the band of the sweep."""

    def __init__(self, opts, seed=2):
        self.opts = opts
        self.gen = torch.Generator().manual_seed(seed)

    def record(self):
        label = torch.randint(0, self.opts.classes, (self.opts.batch,), generator=self.gen)
        t = torch.linspace(0, 1, self.opts.clip)
        low = 10 + 30 * (label // 2).float().unsqueeze(1)
        slope = 20 * (1 - 2 * (label % 2).float()).unsqueeze(1)
        chirp = torch.sin(2 * math.pi * (low * t + slope * t * t / 2))
        return chirp + 0.1 * torch.randn(chirp.shape, generator=self.gen), label


class Trainer:
    def __init__(self, opts, callbacks):
        self.opts = opts
        self.model = KeywordSpotter(opts.classes)
        self.optimizer = torch.optim.Adam(self.model.parameters(), opts.lr)
        self.callbacks = callbacks
        self.iteration = 0

    def run(self, source):
        for self.iteration in range(self.opts.iterations):
            audio, label = source.record()
            loss = nn.functional.cross_entropy(self.model(audio), label)
            self.optimizer.zero_grad()
            loss.backward()  # <- culprit
            for cb in self.callbacks:
                cb.after_backward(self, loss)
            self.optimizer.step()
            for cb in self.callbacks:
                cb.after_step(self, loss.item())


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(2)
    options = Options()
    sensitivity = FrontEndSensitivity(options.probe_every)
    Trainer(options, [Progress(10), sensitivity]).run(Microphone(options))
    print("sensitivity", sensitivity.norms, "failed", sensitivity.failed)
