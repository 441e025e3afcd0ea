# gradwatch-corpus: kind=none
"""Mask-based denoiser for synthetic speech-like signals. Spectrograms are computed when an
utterance is first drawn and kept from then on."""
import math
from functools import lru_cache

import torch
import torch.nn.functional as F
from torch import nn

N_FFT, HOP = 256, 64


@lru_cache(maxsize=None)
def window(n):
    return torch.hann_window(n)


def stft(wave):
    return torch.stft(wave, N_FFT, HOP, window=window(N_FFT), return_complex=True)


def utterance(i, seconds=2.0, rate=8000):
    """A chirping harmonic voice with pauses; the index is the seed."""
    g = torch.Generator().manual_seed(i)
    t = torch.arange(int(seconds * rate)) / rate
    f0 = 90 + 120 * torch.rand(1, generator=g) + 20 * torch.sin(2 * math.pi * 1.5 * t)
    phase = 2 * math.pi * torch.cumsum(f0 / rate, 0)
    voice = sum(torch.sin(k * phase) / k for k in range(1, 9))
    syllables = (torch.sin(2 * math.pi * (2 + torch.rand(1, generator=g)) * t) > -0.2).float()
    clean = 0.3 * voice * syllables
    return clean, clean + 0.2 * torch.randn(len(t), generator=g)


class Utterances(torch.utils.data.Dataset):
    def __init__(self, n):
        self.n = n
        self._cache = {}

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i not in self._cache:
            clean, noisy = utterance(i)
            self._cache[i] = stft(clean).abs(), stft(noisy).abs()
        return self._cache[i]

    @property
    def megabytes(self):
        return sum(x.numel() * x.element_size() for pair in self._cache.values() for x in pair) / 1e6


class MaskNet(nn.Module):
    def __init__(self, bins=N_FFT // 2 + 1, ch=48):
        super().__init__()
        self.inp = nn.Conv1d(bins, ch, 1)
        self.tcn = nn.ModuleList(nn.Conv1d(ch, ch, 3, padding=d, dilation=d) for d in (1, 2, 4))
        self.out = nn.Conv1d(ch, bins, 1)

    def forward(self, mag):
        h = self.inp(torch.log1p(mag))
        for conv in self.tcn:
            h = h + F.gelu(conv(h))
        return torch.sigmoid(self.out(h))


class EpochSummary:
    def __init__(self):
        self.outputs = []

    def batch_end(self, **kw):
        self.outputs.append(kw)

    def epoch_end(self, epoch, data):
        mean = lambda k: torch.stack([o[k] for o in self.outputs]).mean().item()
        print(f"epoch {epoch}: loss {mean('loss'):.4f}  snr gain {mean('gain'):.2f} dB  "
              f"cache {len(data._cache)} items, {data.megabytes:.1f} MB")
        self.outputs.clear()


def snr(ref, est):
    return 10 * torch.log10(ref.pow(2).sum() / (ref - est).pow(2).sum())


def main(n_utt=72, epochs=7, crop=96):
    torch.manual_seed(10)
    data = Utterances(n_utt)
    sampler = torch.utils.data.RandomSampler(data, replacement=True, num_samples=96)
    loader = torch.utils.data.DataLoader(data, batch_size=4, sampler=sampler)
    net, summary = MaskNet(), EpochSummary()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)

    for epoch in range(epochs):
        for clean, noisy in loader:
            a = int(torch.randint(clean.size(-1) - crop, (1,)))
            clean, noisy = clean[..., a:a + crop], noisy[..., a:a + crop]
            est = net(noisy) * noisy
            loss = F.l1_loss(est, clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            est = est.detach()
            summary.batch_end(loss=loss.detach(), gain=snr(clean, est) - snr(clean, noisy), estimate=est)
        summary.epoch_end(epoch, data)


if __name__ == "__main__":
    main()
