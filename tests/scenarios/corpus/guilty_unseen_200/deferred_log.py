# gradwatch-corpus: kind=graph-held
# holder: self.pending | log.pending | writer.pending
# first-bad: 1
"""Audio denoiser; metrics are formatted lazily so that training does not wait for the logger."""
import contextlib
import tempfile
from pathlib import Path

import torch
from torch import nn


class LazyWriter:
    """Collects thunks and formats them all when the run is closed."""

    def __init__(self, path):
        self.path = Path(path)
        self.pending = []

    def defer(self, thunk):
        self.pending.append(thunk)

    def flush(self):
        with self.path.open("a") as fh:
            for thunk in self.pending:
                fh.write(thunk() + "\n")
        n = len(self.pending)
        self.pending.clear()
        return n


@contextlib.contextmanager
def run_log():
    with tempfile.TemporaryDirectory() as d:
        w = LazyWriter(Path(d) / "train.log")
        yield w
        print("lines written:", w.flush())


class Denoiser(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.inp = nn.Conv1d(1, ch, 5, padding=2)
        self.mid = nn.Conv1d(ch, ch, 5, padding=4, dilation=2)
        self.out = nn.Conv1d(ch, 1, 5, padding=2)
        self.act = nn.PReLU()

    def forward(self, wav):
        h = self.act(self.inp(wav))
        h = h + self.act(self.mid(h))
        return wav - self.out(h)


def tones(n, length=64):
    t = torch.linspace(0, 1, length)
    f = torch.rand(n, 1) * 12 + 2
    ph = torch.rand(n, 1) * 6.28
    clean = torch.sin(6.28 * f * t + ph).unsqueeze(1)
    return clean, clean + 0.3 * torch.randn_like(clean)


def si_snr(est, ref, eps=1e-8):
    s = (est * ref).sum(-1, keepdim=True) * ref / (ref.pow(2).sum(-1, keepdim=True) + eps)
    e = est - s
    return 10 * torch.log10(s.pow(2).sum(-1) / (e.pow(2).sum(-1) + eps) + eps).mean()


def train(log, steps=430):
    net = Denoiser()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for step in range(steps):
        clean, noisy = tones(12)
        est = net(noisy)
        snr = si_snr(est, clean)
        loss = (est - clean).abs().mean() - 0.01 * snr
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.defer(lambda step=step, snr=snr: f"{step} snr={snr.item():.2f}dB")  # <- culprit
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(8)
    with run_log() as log:
        train(log)
