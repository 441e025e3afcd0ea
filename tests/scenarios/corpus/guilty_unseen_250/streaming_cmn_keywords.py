# gradwatch-corpus: kind=graph-chain
# holder: self.channel_mean | self.normaliser.channel_mean | spotter.normaliser.channel_mean
# first-bad: 1
"""Keyword spotting with a learned filterbank and streaming mean normalisation."""
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass(frozen=True)
class SpotterConfig:
    frame_len: int = 160
    frames: int = 25
    bands: int = 32
    hidden: int = 48
    keywords: int = 6
    batch: int = 12
    steps: int = 100
    momentum: float = 0.95
    lr: float = 0.02


class StreamingMeanNorm(nn.Module):
    def __init__(self, bands, momentum):
        super().__init__()
        self.momentum = momentum
        self.scale = nn.Parameter(torch.ones(bands))
        self.channel_mean = torch.zeros(bands)

    def forward(self, bands):
        batch_mean = bands.mean(dim=(0, 1))
        if self.training:
            self.channel_mean = self.momentum * self.channel_mean + (1 - self.momentum) * batch_mean  # <- culprit
        return (bands - self.channel_mean) * self.scale


class KeywordSpotter(nn.Module):
    def __init__(self, cfg: SpotterConfig):
        super().__init__()
        self.filterbank = nn.Linear(cfg.frame_len, cfg.bands)
        self.normaliser = StreamingMeanNorm(cfg.bands, cfg.momentum)
        self.encoder = nn.GRU(cfg.bands, cfg.hidden, batch_first=True)
        self.classifier = nn.Linear(cfg.hidden, cfg.keywords)

    def forward(self, frames):
        energy = self.filterbank(frames)
        normed = self.normaliser(energy)
        encoded, _ = self.encoder(torch.tanh(normed))
        return self.classifier(encoded[:, -1])


class Microphone:
    def __init__(self, cfg: SpotterConfig):
        self.cfg = cfg
        self.templates = torch.randn(cfg.keywords, cfg.frames, cfg.frame_len)
        self.offset = 0.0

    def listen(self):
        labels = torch.randint(0, self.cfg.keywords, (self.cfg.batch,))
        noise = torch.randn(self.cfg.batch, self.cfg.frames, self.cfg.frame_len)
        self.offset = 0.98 * self.offset + 0.02 * torch.randn(1).item()
        return 0.5 * self.templates[labels] + 0.5 * noise + self.offset, labels


def main():
    torch.manual_seed(3)
    cfg = SpotterConfig()
    spotter = KeywordSpotter(cfg)
    microphone = Microphone(cfg)
    optimizer = torch.optim.SGD(spotter.parameters(), lr=cfg.lr, momentum=0.9)
    correct = 0
    for step in range(cfg.steps):
        frames, labels = microphone.listen()
        logits = spotter(frames)
        loss = F.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
        correct += (logits.argmax(dim=1) == labels).sum().item()
        if step % 25 == 24:
            accuracy = correct / (25 * cfg.batch)
            print(f"step {step + 1:4d} loss {loss.item():.3f} acc {accuracy:.2f}")
            correct = 0


if __name__ == "__main__":
    main()
