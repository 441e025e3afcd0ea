# gradwatch-corpus: kind=none
"""Streaming dictation model: truncated back-propagation over one endless recording."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class DictationConfig:
    mel: int = 20
    hidden: int = 48
    layers: int = 2
    letters: int = 28
    window: int = 16
    windows: int = 120
    lanes: int = 4
    silence_every: int = 25
    lr: float = 2e-3


class DictationModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.encoder = nn.GRU(cfg.mel, cfg.hidden, num_layers=cfg.layers, batch_first=True)
        self.letters = nn.Linear(cfg.hidden, cfg.letters)
        self.carry = None
        self.energy = torch.zeros(())

    def start_recording(self):
        self.carry = torch.zeros(self.cfg.layers, self.cfg.lanes, self.cfg.hidden)

    def forward(self, mel):
        hidden, self.carry = self.encoder(mel, self.carry)
        self.energy = 0.9 * self.energy + 0.1 * hidden.detach().pow(2).mean()
        return self.letters(hidden)

    def truncate(self):
        self.carry = self.carry.detach()


class EndlessRecording:
    def __init__(self, cfg):
        self.cfg = cfg
        self.codebook = torch.randn(cfg.letters, cfg.mel)

    def windows(self):
        for _ in range(self.cfg.windows):
            letters = torch.randint(0, self.cfg.letters, (self.cfg.lanes, self.cfg.window))
            mel = self.codebook[letters]
            yield mel + 0.4 * torch.randn_like(mel), letters


def main():
    torch.manual_seed(4)
    cfg = DictationConfig()
    model = DictationModel(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    model.start_recording()
    history = []
    for index, (mel, letters) in enumerate(EndlessRecording(cfg).windows()):
        if index and index % cfg.silence_every == 0:
            model.start_recording()
        logits = model(mel)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), letters.flatten())
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        model.truncate()
        history.append(loss.item())
        if index % 30 == 29:
            recent = sum(history[-30:]) / 30
            print(f"window {index + 1:3d} loss {recent:.3f} energy {model.energy.item():.3f}")


if __name__ == "__main__":
    main()
