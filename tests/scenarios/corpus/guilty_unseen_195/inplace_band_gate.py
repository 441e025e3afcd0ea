# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
"""Speech enhancement: predict a soft mask on noisy magnitude spectra."""
import torch
from torch import nn


class MaskNet(nn.Module):
    def __init__(self, bins=33, hidden=32, drop_bands=6):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.proj = nn.Linear(hidden, bins)
        self.drop_bands = drop_bands
        self.band_dropout = False

    def forward(self, mag):
        h, _ = self.rnn(mag.log1p())
        gate = torch.sigmoid(self.proj(h))
        if self.training and self.band_dropout:
            low = int(torch.randint(0, gate.size(-1) - self.drop_bands, (1,)))
            gate[..., low : low + self.drop_bands] = 0.0  # <- culprit
        return gate * mag, gate


class Curriculum:
    def __init__(self, dropout_from, snr_start=12.0, snr_end=0.0, span=400):
        self.dropout_from = dropout_from
        self.snr_start, self.snr_end, self.span = snr_start, snr_end, span

    def apply(self, model, it):
        model.band_dropout = it >= self.dropout_from
        frac = min(1.0, it / self.span)
        return self.snr_start + frac * (self.snr_end - self.snr_start)


def tones(gen, batch, samples=512):
    t = torch.arange(samples) / samples
    freq = 8 + 60 * torch.rand(batch, 3, 1, generator=gen)
    amp = torch.rand(batch, 3, 1, generator=gen)
    return (amp * torch.sin(2 * torch.pi * freq * t)).sum(1)


def spectrum(wave, n_fft=64):
    window = torch.hann_window(n_fft)
    return torch.stft(wave, n_fft, 32, window=window, return_complex=True).abs().transpose(1, 2)


def noisy(wave, snr_db, gen):
    noise = torch.randn(wave.shape, generator=gen)
    scale = wave.pow(2).mean().sqrt() / 10 ** (snr_db / 20)
    return wave + scale * noise


def main(iters=450):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(77)
    model = MaskNet()
    curriculum = Curriculum(dropout_from=30)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    history = []
    for it in range(iters):
        snr = curriculum.apply(model, it)
        clean = tones(gen, 6)
        target, mixture = spectrum(clean), spectrum(noisy(clean, snr, gen))
        estimate, gate = model(mixture)
        loss = (estimate - target).abs().mean() + 1e-3 * gate.mean()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        history.append(loss.item())
        if it % 10 == 0:
            print(f"{it:3d} snr {snr:5.2f} dB  l1 {sum(history[-10:]) / len(history[-10:]):.4f}")


if __name__ == "__main__":
    main()
