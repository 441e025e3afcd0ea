# gradwatch-corpus: kind=second-backward
# holder: self.speaker_codes | model.speaker_codes | self.model.speaker_codes | session.model.speaker_codes | self.__dict__["speaker_codes"]
# first-bad: 1
"""Acoustic model conditioned on a fixed speaker roster (toy text-to-mel)."""
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class TtsConfig:
    phones: int = 30
    speakers: int = 9
    dim: int = 32
    mels: int = 24
    length: int = 20
    batch: int = 10
    steps: int = 100
    lr: float = 2e-3


class SpeakerRoster:
    def __init__(self, cfg):
        gen = torch.Generator().manual_seed(70)
        self.traits = torch.randn(cfg.speakers, 12, generator=gen)


class AcousticModel(nn.Module):
    def __init__(self, cfg, roster):
        super().__init__()
        self.roster = roster
        self.phone = nn.Embedding(cfg.phones, cfg.dim)
        self.speaker_net = nn.Sequential(
            nn.Linear(12, cfg.dim),
            nn.Tanh(),
            nn.Linear(cfg.dim, cfg.dim),
        )
        self.mixer = nn.Conv1d(cfg.dim, cfg.dim, 5, padding=2)
        self.to_mel = nn.Conv1d(cfg.dim, cfg.mels, 1)

    @cached_property  # <- culprit
    def speaker_codes(self):  # <- culprit
        return self.speaker_net(self.roster.traits)  # <- culprit

    def forward(self, phones, speaker):
        cond = self.speaker_codes[speaker].unsqueeze(-1)  # <- culprit
        h = self.phone(phones).transpose(1, 2)
        h = h + cond
        h = h + F.silu(self.mixer(h))
        return self.to_mel(h)


class ToyUtterances:
    def __init__(self, cfg, roster):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(71)
        self.table = torch.randn(cfg.phones, cfg.mels, generator=self.gen)
        self.voice = roster.traits @ torch.randn(12, cfg.mels, generator=self.gen) * 0.2

    def __iter__(self):
        cfg = self.cfg
        for _ in range(cfg.steps):
            phones = torch.randint(cfg.phones, (cfg.batch, cfg.length), generator=self.gen)
            speaker = torch.randint(cfg.speakers, (cfg.batch,), generator=self.gen)
            mel = self.table[phones] + self.voice[speaker].unsqueeze(1)
            yield phones, speaker, mel.transpose(1, 2)


class TtsSession:
    def __init__(self, cfg):
        self.cfg = cfg
        self.roster = SpeakerRoster(cfg)
        self.model = AcousticModel(cfg, self.roster)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=cfg.lr)
        self.history = []

    def train_one(self, phones, speaker, mel):
        self.optimizer.zero_grad(set_to_none=True)
        loss = F.l1_loss(self.model(phones, speaker), mel)
        loss.backward()
        self.optimizer.step()
        self.history.append(loss.item())

    def run(self):
        for batch in ToyUtterances(self.cfg, self.roster):
            self.train_one(*batch)
            if len(self.history) % 20 == 0:
                print(len(self.history), f"mel l1 {self.history[-1]:.4f}")


if __name__ == "__main__":
    torch.manual_seed(1)
    TtsSession(TtsConfig()).run()
