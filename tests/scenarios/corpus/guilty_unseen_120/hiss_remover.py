# gradwatch-corpus: kind=graph-held
# holder: self.levels | meters["bottleneck"].levels | meters[name].levels | meters["mask"].levels
# first-bad: 1
# notice: 8
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(44)

SR = 1600
N = 256


def tone_bank(batch):
    t = torch.arange(N) / SR
    f = torch.empty(batch, 3, 1).uniform_(60, 500)
    ph = torch.rand(batch, 3, 1) * 2 * math.pi
    clean = torch.sin(2 * math.pi * f * t + ph).mean(1)
    hiss = torch.randn(batch, N) * 0.25
    return clean, clean + hiss


class VU:
    """Hangs on a layer and reads its level, as on a desk."""

    def __init__(self, label, floor=1e-6):
        self.label = label
        self.floor = floor
        self.levels = []

    def __call__(self, layer, args, output):
        if not layer.training:
            return
        rms = output.pow(2).mean(dim=(-1, -2)).sqrt()
        self.levels.append(20 * torch.log10(rms.clamp_min(self.floor)).mean())  # <- culprit

    def read(self, k=20):
        last = self.levels[-k:]
        return sum(v.item() for v in last) / len(last)


class MaskNet(nn.Module):
    def __init__(self, bins):
        super().__init__()
        self.inp = nn.Conv1d(bins, 24, 3, padding=1)
        self.bottleneck = nn.Conv1d(24, 8, 1)
        self.mask = nn.Conv1d(8, bins, 3, padding=1)

    def forward(self, mag):
        x = torch.relu(self.inp(torch.log1p(mag)))
        x = torch.relu(self.bottleneck(x))
        return torch.sigmoid(self.mask(x))


win = torch.hann_window(32)


def spec(x):
    return torch.stft(x, 32, hop_length=16, window=win, return_complex=True)


model = MaskNet(17)
meters = {}
for name, layer in model.named_children():
    if name in ("bottleneck", "mask"):
        meters[name] = VU(name)
        layer.register_forward_hook(meters[name])

optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)

step = 0
while step < 280:
    model.train()
    clean, noisy = tone_bank(4)
    S, X = spec(clean), spec(noisy)
    est = model(X.abs()) * X
    loss = (est.abs() - S.abs()).pow(2).mean() + 0.1 * (est - S).abs().mean()
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    if step % 70 == 69:
        model.eval()
        with torch.no_grad():
            c, n = tone_bank(8)
            out = torch.istft(model(spec(n).abs()) * spec(n), 32, hop_length=16, window=win, length=N)
            snr = 10 * torch.log10(c.pow(2).sum() / (c - out).pow(2).sum())
        vu = "  ".join(f"{k} {m.read():6.1f} dB" for k, m in meters.items())
        print(f"{step:4d}  loss {loss.item():.4f}  snr {snr.item():5.2f} dB  {vu}")
    step += 1
