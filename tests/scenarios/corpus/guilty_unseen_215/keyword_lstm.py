# gradwatch-corpus: kind=second-backward
# holder: self.hidden | model.hidden
# first-bad: 1
"""Streaming keyword spotting: frames arrive in chunks, the LSTM state lives in the model."""
from dataclasses import dataclass

import torch
import torch.nn as nn


@dataclass
class SpeechConfig:
    n_mels: int = 20
    hidden: int = 48
    n_keywords: int = 6
    streams: int = 16
    chunk: int = 25
    n_chunks: int = 80
    lr: float = 2e-3


class SyntheticStream:
    """Mel-like frames with slowly changing keyword labels."""

    def __init__(self, cfg):
        self.cfg = cfg
        self.templates = torch.randn(cfg.n_keywords, cfg.n_mels)
        self.labels = torch.randint(0, cfg.n_keywords, (cfg.streams,))

    def __iter__(self):
        cfg = self.cfg
        for _ in range(cfg.n_chunks):
            frames, targets = [], []
            for _ in range(cfg.chunk):
                switch = torch.rand(cfg.streams) < 0.05
                self.labels = torch.where(switch, torch.randint(0, cfg.n_keywords, (cfg.streams,)), self.labels)
                frames.append(self.templates[self.labels] + 0.8 * torch.randn(cfg.streams, cfg.n_mels))
                targets.append(self.labels)
            yield torch.stack(frames), torch.stack(targets)


class KeywordSpotter(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.cfg = cfg
        self.norm = nn.LayerNorm(cfg.n_mels)
        self.lstm = nn.LSTM(cfg.n_mels, cfg.hidden)
        self.head = nn.Linear(cfg.hidden, cfg.n_keywords)
        self.hidden = None

    def reset(self):
        shape = (1, self.cfg.streams, self.cfg.hidden)
        self.hidden = (torch.zeros(shape), torch.zeros(shape))

    def forward(self, frames):
        out, self.hidden = self.lstm(self.norm(frames), self.hidden)  # <- culprit
        return self.head(out)


def main():
    torch.manual_seed(30)
    cfg = SpeechConfig()
    model = KeywordSpotter(cfg)
    optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    criterion = nn.CrossEntropyLoss()
    model.reset()
    for i, (frames, targets) in enumerate(SyntheticStream(cfg)):
        logits = model(frames)
        loss = criterion(logits.flatten(0, 1), targets.flatten())
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optim.step()
        acc = (logits.argmax(-1) == targets).float().mean().item()
        if i % 20 == 0:
            print(f"chunk {i} loss {loss.item():.3f} acc {acc:.3f}")


if __name__ == "__main__":
    main()
