# gradwatch-corpus: kind=none
"""P-wave onset picking on synthetic single-station seismograms."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Recorder:
    capacity = 64

    def __init__(self):
        self.rows = []

    def record(self, step, **values):
        self.rows.append((step, values))
        self._after_record(step)

    def _after_record(self, step):
        excess = len(self.rows) - self.capacity
        if excess > 0:
            del self.rows[:excess]

    def column(self, name):
        return [values[name] for _, values in self.rows if name in values]


class PickRecorder(Recorder):
    capacity = 24

    def __init__(self, patience):
        super().__init__()
        self.patience = patience
        self.stale = 0
        self.best = math.inf

    def _after_record(self, step):
        super()._after_record(step)
        recent = torch.stack(self.column("loss")).mean().item()
        if recent < self.best - 1e-4:
            self.best, self.stale = recent, 0
        else:
            self.stale += 1

    def jitter(self):
        picks = self.column("pick")
        return torch.stack([p.mean() for p in picks]).std().item() if len(picks) > 1 else 0.0


class Picker(nn.Module):
    def __init__(self, width=12):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv1d(1, width, 9, padding=4), nn.ReLU(),
            nn.Conv1d(width, width, 9, padding=4), nn.ReLU(),
            nn.Conv1d(width, 1, 5, padding=2),
        )

    def forward(self, wave):
        return self.body(wave).squeeze(1)


def make_batch(gen, n=12, length=128):
    onset = torch.randint(20, 100, (n,), generator=gen)
    t = torch.arange(length)[None, :]
    noise = 0.15 * torch.randn(n, length, generator=gen)
    dt = (t - onset[:, None]).clamp(min=0).float()
    signal = torch.where(t >= onset[:, None], torch.exp(-dt / 20) * torch.sin(dt * 0.9 + 0.6), torch.zeros(()))
    return (signal + noise).unsqueeze(1), onset


def main():
    torch.manual_seed(5)
    gen = torch.Generator().manual_seed(11)
    model = Picker()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    recorder = PickRecorder(patience=80)
    grid = torch.arange(128).float()

    for step in range(480):
        wave, onset = make_batch(gen)
        scores = model(wave)
        pick = (scores.softmax(-1) * grid).sum(-1)
        loss = F.cross_entropy(scores, onset) + 0.01 * F.smooth_l1_loss(pick, onset.float())
        opt.zero_grad()
        loss.backward()
        opt.step()
        recorder.record(step, loss=loss, pick=pick)
        if recorder.stale > recorder.patience:
            for group in opt.param_groups:
                group["lr"] *= 0.5
            recorder.stale = 0
        if step % 80 == 0:
            print(f"{step:4d} loss {loss.item():.3f} jitter {recorder.jitter():.2f}")


if __name__ == "__main__":
    main()
