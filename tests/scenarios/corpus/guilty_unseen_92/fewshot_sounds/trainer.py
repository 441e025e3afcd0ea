from __future__ import annotations

from itertools import chain
from typing import Iterator

import torch
import torch.nn.functional as F

from config import Config, Phase
from nets import Encoder, ScaledDistance
from prototypes import PrototypeBank
from sounds import SoundBank


class PrototypeTrainer:
    def __init__(self, encoder: Encoder, head: ScaledDistance, sounds: SoundBank, bank: PrototypeBank, cfg: Config) -> None:
        self.encoder, self.head, self.sounds, self.bank, self.cfg = encoder, head, sounds, bank, cfg
        self.opt = torch.optim.Adam(chain(encoder.parameters(), head.parameters()), lr=cfg.lr)

    @classmethod
    def from_config(cls, cfg: Config) -> "PrototypeTrainer":
        encoder, sounds = Encoder(cfg.mels, cfg.embed), SoundBank(cfg)
        return cls(encoder, ScaledDistance(cfg.embed), sounds, PrototypeBank(encoder, sounds.support, cfg), cfg)

    def _step(self, step: int) -> tuple[float, float]:
        x, y = self.sounds.query()
        with torch.set_grad_enabled(self.cfg.phase(step) is Phase.JOINT):
            z = self.encoder(x)
        logits = self.head(z, self.bank.at(step))  # <- culprit
        loss = F.cross_entropy(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item(), (logits.argmax(1) == y).float().mean().item()

    def run(self) -> Iterator[str]:
        for step in range(self.cfg.steps):
            loss, acc = self._step(step)
            if step % 40 == 0:
                yield f"{step} {self.cfg.phase(step).name} loss {loss:.3f} acc {acc:.2f}"
