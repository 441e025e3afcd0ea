# gradwatch-corpus: kind=graph-held
# holder: self.incidents | trainer.incidents
# first-bad: 4
"""Load forecasting. A guard raises on suspicious losses; the trainer takes note and damps that step."""
import math
import torch
import torch.nn as nn


class LossSpike(Exception):
    def __init__(self, step, ratio):
        super().__init__(f"step {step}: loss is {ratio:.2f} x its recent level")
        self.step = step
        self.ratio = ratio


class SpikeGuard:
    def __init__(self, limit=1.25, memory=0.8):
        self.limit, self.memory = limit, memory
        self.level = None

    def check(self, step, loss):
        now = loss.item()
        if self.level is None:
            self.level = now
        ratio = now / (self.level + 1e-8)
        self.level = self.memory * self.level + (1 - self.memory) * now
        if ratio > self.limit:
            raise LossSpike(step, ratio)


class Forecaster(nn.Module):
    def __init__(self, lookback, horizon, width=32):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(lookback, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.dec = nn.Linear(width, horizon)

    def forward(self, x):
        mu = x.mean(1, keepdim=True)
        return self.dec(self.enc(x - mu)) + mu


class Trainer:
    def __init__(self, model, guard, lr):
        self.model = model
        self.guard = guard
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.incidents = []

    def training_step(self, step, past, future):
        loss = nn.functional.l1_loss(self.model(past), future)
        damp = 1.0
        try:
            self.guard.check(step, loss)
        except LossSpike as spike:
            self.incidents.append(spike)  # <- culprit
            damp = 1.0 / spike.ratio
        self.opt.zero_grad()
        (loss * damp).backward()
        self.opt.step()
        return loss.item()

    def summary(self):
        worst = sorted(self.incidents, key=lambda s: -s.ratio)[:3]
        return [str(s) for s in worst]


def windows(batch, lookback, horizon, seed):
    g = torch.Generator().manual_seed(seed)
    t0 = torch.rand(batch, 1, generator=g) * 1000
    t = t0 + torch.arange(lookback + horizon)
    load = torch.sin(2 * math.pi * t / 24) + 0.4 * torch.sin(2 * math.pi * t / 168)
    storm = 2.5 if seed % 3 == 0 and seed > 0 else 0.3
    load = load + storm * 0.4 * torch.randn(load.shape, generator=g)
    return load[:, :lookback], load[:, lookback:]


def main():
    torch.manual_seed(6)
    trainer = Trainer(Forecaster(48, 12), SpikeGuard(), lr=2e-3)
    running = 0.0
    for step in range(240):
        past, future = windows(24, 48, 12, step)
        running = 0.9 * running + 0.1 * trainer.training_step(step, past, future)
        if step % 60 == 59:
            print(f"{step + 1:4d}  mae~{running:.3f}  incidents {len(trainer.incidents)}")
    print("\n".join(trainer.summary()))


if __name__ == "__main__":
    main()
