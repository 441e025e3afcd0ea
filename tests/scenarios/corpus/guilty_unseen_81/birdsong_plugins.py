# gradwatch-corpus: kind=second-backward
# holder: self.bank | self.bank[key] | fe.bank | frontend.bank | self.frontend.bank | filt | resp
# first-bad: 1
# notice: 0
"""Warbler / finch / owl recogniser on synthetic chirps.

Frontends, encoders and objectives are plug-ins, chosen by name on the command line:

    python birdsong_plugins.py --frontend gabor --encoder conv --objective focal
"""
import argparse
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SR = 4000
SPECIES = ("warbler", "finch", "owl", "wren")
PLUGINS = {"frontend": {}, "encoder": {}, "objective": {}}


def plugin(kind, name):
    def register(obj):
        PLUGINS[kind][name] = obj
        return obj
    return register


def pick(kind, name):
    try:
        return PLUGINS[kind][name]
    except KeyError:
        raise SystemExit(f"no {kind} called {name!r}; have {sorted(PLUGINS[kind])}")


@plugin("frontend", "raw")
class RawFrames(nn.Module):
    channels = 64

    def forward(self, wav):
        return wav.unfold(-1, 64, 32).transpose(1, 2)


@plugin("frontend", "gabor")
class Gabor(nn.Module):
    """LEAF-like front end: centre frequencies and widths are learned."""
    channels = 20

    def __init__(self, taps=65):
        super().__init__()
        mel = torch.linspace(math.log(150.0), math.log(1800.0), self.channels)
        self.log_hz = nn.Parameter(mel)
        self.log_width = nn.Parameter(torch.full((self.channels,), math.log(9.0)))
        self.taps = taps
        self.bank = {}

    def impulse_responses(self, like):
        key = (like.device, like.dtype)
        if key not in self.bank:
            t = torch.arange(self.taps, device=like.device, dtype=like.dtype) - self.taps // 2
            hz = self.log_hz.exp()[:, None]
            env = torch.exp(-0.5 * (t / self.log_width.exp()[:, None]) ** 2)
            phase = 2 * math.pi * hz * t / SR
            resp = torch.cat([env * phase.cos(), env * phase.sin()])
            self.bank[key] = resp[:, None, :]  # <- culprit
        return self.bank[key]

    def forward(self, wav):
        filt = self.impulse_responses(wav)
        y = F.conv1d(wav[:, None], filt, stride=8)
        re, im = y.chunk(2, 1)
        return torch.log1p(F.avg_pool1d(re ** 2 + im ** 2, 4))


@plugin("encoder", "conv")
class ConvEncoder(nn.Module):
    def __init__(self, channels, width=24):
        super().__init__()
        self.a = nn.Conv1d(channels, width, 5, padding=2)
        self.b = nn.Conv1d(width, width, 5, padding=2, groups=2)
        self.out = nn.Linear(2 * width, len(SPECIES))

    def forward(self, z):
        h = F.silu(self.a(z))
        h = F.silu(self.b(h)) + h
        return self.out(torch.cat([h.mean(-1), h.amax(-1)], 1))


@plugin("objective", "ce")
def cross_entropy(logits, y):
    return F.cross_entropy(logits, y)


@plugin("objective", "focal")
def focal(logits, y, gamma=1.5):
    nll = F.cross_entropy(logits, y, reduction="none")
    return ((1 - (-nll).exp()) ** gamma * nll).mean()


def chirps(rng, n, dur=0.3):
    t = torch.arange(int(SR * dur)) / SR
    y = torch.randint(len(SPECIES), (n,), generator=rng)
    base = torch.tensor([1200.0, 700.0, 260.0, 1500.0])[y][:, None]
    slope = torch.tensor([900.0, -600.0, 0.0, -1800.0])[y][:, None]
    jitter = 1 + 0.06 * torch.randn(n, 1, generator=rng)
    wav = torch.sin(2 * math.pi * (base * jitter * t + 0.5 * slope * t ** 2))
    return wav + 0.5 * torch.randn(n, len(t), generator=rng), y


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--frontend", default="gabor")
    ap.add_argument("--encoder", default="conv")
    ap.add_argument("--objective", default="focal")
    ap.add_argument("--steps", type=int, default=80)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(7)

    frontend = pick("frontend", args.frontend)()
    encoder = pick("encoder", args.encoder)(frontend.channels)
    objective = pick("objective", args.objective)
    model = nn.Sequential(frontend, encoder)
    opt = torch.optim.NAdam(model.parameters(), lr=3e-3)
    rng = torch.Generator().manual_seed(1)

    for step in range(args.steps):
        wav, y = chirps(rng, 24)
        logits = model(wav)
        cost = objective(logits, y)
        opt.zero_grad()
        cost.backward()
        opt.step()
        if step % 10 == 0:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"{step:3d} {args.objective}={cost.item():.4f} acc={acc:.2f}")


if __name__ == "__main__":
    main()
