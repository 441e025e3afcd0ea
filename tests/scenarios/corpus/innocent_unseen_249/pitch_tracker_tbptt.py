# gradwatch-corpus: kind=none
"""Pitch tracking over long recordings with windowed backpropagation."""
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn
from torch.nn import functional as F


@dataclass
class PitchConfig:
    batch: int = 8
    width: int = 24
    hop: int = 12
    window: int = 4
    chunks: int = 160
    lr: float = 3e-3


class Recordings:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(14)
        self.phase = torch.zeros(cfg.batch)
        self.pitch = torch.rand(cfg.batch, generator=self.gen)

    def pull(self):
        cfg = self.cfg
        wobble = 0.05 * torch.randn(cfg.batch, generator=self.gen)
        self.pitch = (self.pitch + wobble).clamp(0.1, 1.0)
        ticks = torch.arange(cfg.hop).float()
        wave = torch.sin(self.phase.unsqueeze(1) + self.pitch.unsqueeze(1) * ticks)
        self.phase = self.phase + self.pitch * cfg.hop
        return wave, self.pitch


class PitchNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.front = nn.Linear(cfg.hop, cfg.width)
        self.cell = nn.GRUCell(cfg.width, cfg.width)
        self.head = nn.Linear(cfg.width, 1)

    def forward(self, wave, state):
        state = self.cell(torch.tanh(self.front(wave)), state)
        return self.head(state).squeeze(-1), state


class WindowedSession:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = PitchNet(cfg)
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=cfg.lr)
        self.state = torch.zeros(cfg.batch, cfg.width)
        self.pending = []
        self.recent = deque(maxlen=10)

    def feed(self, wave, pitch):
        estimate, self.state = self.net(wave, self.state)
        self.pending.append(F.smooth_l1_loss(estimate, pitch))
        if len(self.pending) == self.cfg.window:
            self._close_window()

    def _close_window(self):
        loss = torch.stack(self.pending).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.pending.clear()
        self.state = self.state.detach()
        self.recent.append(loss.item())


def main():
    torch.manual_seed(8)
    cfg = PitchConfig()
    session = WindowedSession(cfg)
    source = Recordings(cfg)
    for chunk in range(cfg.chunks):
        session.feed(*source.pull())
        if (chunk + 1) % 40 == 0:
            mean = sum(session.recent) / len(session.recent)
            print(f"chunk {chunk + 1} loss {mean:.5f}")


if __name__ == "__main__":
    main()
