# gradwatch-corpus: kind=graph-held
# holder: calls | wrapper.calls | harmonic_bank.calls | fn.calls
# first-bad: 1
# notice: 8
import torch
from torch import nn

from profiling import summarize
from synth import HarmonicDecoder, harmonic_bank, spectral_distance

torch.set_num_threads(1)
torch.manual_seed(11)

SR, N = 8000, 1024


def make_note(batch):
    f0 = 110 + 330 * torch.rand(batch, 1)
    t = torch.arange(N) / SR
    amps = torch.softmax(torch.randn(batch, 6), -1)
    k = torch.arange(1, 7)
    wave = (amps[:, :, None] * torch.sin(2 * torch.pi * f0[:, None] * k[None, :, None] * t)).sum(1)
    return f0, wave + 0.01 * torch.randn_like(wave)


def features(wave):
    spec = torch.stft(wave, 256, 128, window=torch.hann_window(256), return_complex=True).abs()
    return torch.log1p(spec).mean(-1)


def fit(steps=80):
    model = HarmonicDecoder(n_in=129, n_harm=6)
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    for step in range(steps):
        f0, target = make_note(6)
        amps = model(features(target))
        wave = harmonic_bank(f0, amps, N, SR)
        loss = spectral_distance(wave, target)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        sched.step()
        if step % 20 == 19:
            print(f"step {step + 1:3d}  loss {loss.item():.4f}")
    summarize(harmonic_bank)


if __name__ == "__main__":
    fit()
