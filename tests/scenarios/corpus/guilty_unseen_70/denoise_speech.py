# gradwatch-corpus: kind=graph-held
# holder: self.pending | report.pending | reporter.pending | callbacks[1].pending | cb.pending | line | loss | out
# first-bad: 1
# notice: 8
# Mask-based speech denoiser on synthetic harmonics. Callbacks do the bookkeeping.
import math
import time

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)


class Callback:
    def on_begin(self, job): ...
    def on_step(self, job, step, out): ...
    def on_end(self, job): ...


class WarmupLR(Callback):
    def __init__(self, steps):
        self.steps = steps

    def on_begin(self, job):
        self.sched = torch.optim.lr_scheduler.LambdaLR(
            job.opt, lambda s: min(1.0, (s + 1) / self.steps))

    def on_step(self, job, step, out):
        self.sched.step()


class QuietReport(Callback):
    """Formatting costs time, so the lines are put together when the run is over."""

    def __init__(self, every):
        self.every = every
        self.pending = []

    def on_begin(self, job):
        self.started = time.perf_counter()

    def on_step(self, job, step, out):
        elapsed = time.perf_counter() - self.started
        self.pending.append(self.entry(step, elapsed, **out))  # <- culprit

    def entry(self, step, elapsed, loss, snr):
        def line():  # <- culprit
            return f"{step:4d} {elapsed:6.2f}s  l1 {loss:.4f}  snr {snr:5.2f} dB"
        return line

    def on_end(self, job):
        for line in self.pending[::self.every]:
            print(line())


class MaskNet(nn.Module):
    def __init__(self, bins, hidden=32):
        super().__init__()
        self.inp = nn.Conv1d(bins, hidden, 3, padding=1)
        self.rnn = nn.GRU(hidden, hidden, batch_first=True)
        self.out = nn.Linear(hidden, bins)

    def forward(self, mag):
        h = F.relu(self.inp(mag.log1p()))
        h, _ = self.rnn(h.transpose(1, 2))
        return torch.sigmoid(self.out(h)).transpose(1, 2)


class Denoise:
    n_fft, hop, rate, length = 64, 32, 8000, 1024

    def __init__(self):
        self.window = torch.hann_window(self.n_fft)
        self.net = MaskNet(self.n_fft // 2 + 1)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=4e-3)

    def spectrum(self, wave):
        return torch.stft(wave, self.n_fft, self.hop, window=self.window,
                          return_complex=True).abs()

    def batch(self, size=6):
        t = torch.arange(self.length) / self.rate
        f0 = 100 + 150 * torch.rand(size, 1)
        clean = sum(torch.sin(2 * math.pi * k * f0 * t) / k for k in (1, 2, 3))
        return clean, clean + 0.4 * torch.randn_like(clean)

    def step(self):
        clean, noisy = map(self.spectrum, self.batch())
        estimate = self.net(noisy) * noisy
        loss = F.l1_loss(estimate, clean)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        error = (estimate.detach() - clean).pow(2).sum()
        return {"loss": loss, "snr": 10 * torch.log10(clean.pow(2).sum() / error)}  # <- culprit

    def run(self, steps, callbacks):
        for cb in callbacks:
            cb.on_begin(self)
        for step in range(steps):
            out = self.step()
            for cb in callbacks:
                cb.on_step(self, step, out)
        for cb in callbacks:
            cb.on_end(self)


if __name__ == "__main__":
    Denoise().run(130, [WarmupLR(10), QuietReport(every=20)])
