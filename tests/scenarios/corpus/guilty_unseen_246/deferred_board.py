# gradwatch-corpus: kind=graph-held
# holder: self.pending | self.writer.pending | writer.pending | board.pending | coach.board.pending | self.board.pending
# first-bad: 1
import functools
import io
import math

import torch
from torch import nn
import torch.nn.functional as F


class DeferredBoard:
    """Collects calls during training and writes them out when closed."""

    def __init__(self, sink):
        self.sink = sink
        self.pending = []

    def scalar(self, tag, value, step):
        self.pending.append(functools.partial(self._emit, tag, value, step))  # <- culprit

    def _emit(self, tag, value, step):
        self.sink.write(f"{step}\t{tag}\t{value:.5f}\n")

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for call in self.pending:
            call()
        self.pending.clear()
        return False


class PitchNet(nn.Module):
    """Fundamental frequency and voicing from short windows of speech."""

    def __init__(self, bins):
        super().__init__()
        self.conv = nn.Sequential(
            nn.Conv1d(1, 12, 16, stride=4),
            nn.ReLU(),
            nn.Conv1d(12, 24, 8, stride=4),
            nn.ReLU(),
        )
        self.pitch = nn.Linear(24, bins)
        self.voiced = nn.Linear(24, 1)

    def forward(self, wave):
        pooled = self.conv(wave.unsqueeze(1)).mean(dim=2)
        return self.pitch(pooled), self.voiced(pooled).squeeze(1)


def synthetic_voices(batch, length, bins, seed):
    gen = torch.Generator().manual_seed(seed)
    time = torch.arange(length) / 4000.0
    while True:
        target = torch.randint(0, bins, (batch,), generator=gen)
        voiced = (torch.rand(batch, generator=gen) < 0.7).float()
        hertz = 100.0 + 40.0 * target.float()
        wave = torch.sin(2 * math.pi * hertz.unsqueeze(1) * time)
        noise = 0.3 * torch.randn(batch, length, generator=gen)
        yield wave * voiced.unsqueeze(1) + noise, target, voiced


class PitchCoach:
    def __init__(self, net, board, lr):
        self.net = net
        self.board = board
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 120)

    def losses(self, wave, target, voiced):
        logits, gate = self.net(wave)
        per_item = F.cross_entropy(logits, target, reduction="none")
        pitch = (per_item * voiced).sum() / voiced.sum().clamp(min=1.0)
        voicing = F.binary_cross_entropy_with_logits(gate, voiced)
        return {"pitch": pitch, "voicing": voicing}

    def step(self, index, batch):
        parts = self.losses(*batch)
        loss = parts["pitch"] + 0.5 * parts["voicing"]
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        for tag, value in parts.items():
            self.board.scalar(tag, value, index)  # <- culprit
        return loss.item()


def main():
    torch.manual_seed(13)
    bins = 8
    voices = synthetic_voices(batch=24, length=512, bins=bins, seed=13)
    sink = io.StringIO()
    with DeferredBoard(sink) as board:
        coach = PitchCoach(PitchNet(bins), board, lr=3e-3)
        for index in range(120):
            total = coach.step(index, next(voices))
            if index % 40 == 0:
                print(f"{index:4d} total {total:.4f}")
    lines = sink.getvalue().splitlines()
    print("written", len(lines), lines[-1])


if __name__ == "__main__":
    main()
