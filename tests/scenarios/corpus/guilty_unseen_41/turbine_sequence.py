# gradwatch-corpus: kind=second-backward
# holder: self.carry | runner.carry | state
# first-bad: 1
"""Next-value forecast of wind turbine power over one long record, cut into windows."""
import logging
import math

import torch
import torch.nn as nn

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
log = logging.getLogger("turbine")


def power_record(steps=3600, lanes=8):
    t = torch.arange(steps).float().unsqueeze(1)
    phase = torch.rand(lanes) * 2 * math.pi
    wind = 8 + 3 * torch.sin(t / 40 + phase) + 0.6 * torch.randn(steps, lanes)
    power = (wind / 12).clamp(0, 1) ** 3
    return torch.stack([wind / 12, power], dim=-1)


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(2, hidden)
        self.head = nn.Sequential(nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1))

    def forward(self, x, state=None):
        out, state = self.rnn(x, state)
        return self.head(out).squeeze(-1), state  # <- culprit


class Runner:
    def __init__(self, model, lr=2e-3):
        self.model = model
        self.opt = torch.optim.RMSprop(model.parameters(), lr=lr)
        self.carry = None
        self.done = 0
        self.skipped = 0

    def fit_window(self, window):
        x, y = window[:-1], window[1:, :, 1]
        pred, self.carry = self.model(x, self.carry)  # <- culprit
        loss = nn.functional.mse_loss(pred, y)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        return loss.item()

    def run(self, windows):
        total = 0.0
        for i, window in enumerate(windows):
            try:
                total += self.fit_window(window)
                self.done += 1
            except RuntimeError as err:
                # bad windows happen, do not lose the whole night for one
                self.skipped += 1
                if self.skipped <= 2:
                    log.warning("window %d skipped: %s", i, str(err)[:60])
                self.carry = None
        return total / max(self.done, 1)


def main():
    torch.manual_seed(8)
    record = power_record()
    windows = record.split(30)
    runner = Runner(Forecaster())
    for epoch in range(2):
        runner.carry = None
        runner.done = 0
        mean = runner.run(windows)
        log.info("epoch %d mse %.5f windows used %d", epoch, mean, runner.done)
    log.info("skipped %d", runner.skipped)


if __name__ == "__main__":
    main()
