# gradwatch-corpus: kind=inplace-modified
# first-bad: 40
import math
import torch
from torch import nn

SR = 4000
N_FFT = 128
HOP = 64


class SynthNoisySpeech:
    """Harmonic tones with vibrato + coloured noise."""

    def __init__(self, length=2048, seed=0):
        self.length = length
        self.g = torch.Generator().manual_seed(seed)

    def batch(self, n):
        t = torch.arange(self.length) / SR
        f0 = 90 + 160 * torch.rand(n, 1, generator=self.g)
        vib = 1 + 0.01 * torch.sin(2 * math.pi * 5 * t)
        clean = sum(torch.sin(2 * math.pi * k * f0 * vib * t) / k for k in range(1, 5))
        env = torch.sin(math.pi * t / t[-1]) ** 2
        clean = clean * env
        noise = torch.randn(n, self.length, generator=self.g)
        noise = noise + torch.roll(noise, 1, 1)
        return clean, clean + 0.4 * noise


class Spectral:
    def __init__(self):
        self.window = torch.hann_window(N_FFT)

    def stft(self, x):
        return torch.stft(x, N_FFT, HOP, window=self.window, return_complex=True)

    def istft(self, s, length):
        return torch.istft(s, N_FFT, HOP, window=self.window, length=length)


class MaskNet(nn.Module):
    def __init__(self, bins, hidden=48, floor_db=-20.0):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.out = nn.Linear(hidden, bins)
        self.floor = 10 ** (floor_db / 20)
        self.use_floor = False

    def forward(self, mag):
        h, _ = self.rnn(torch.log1p(mag).transpose(1, 2))
        mask = torch.sigmoid(self.out(h)).transpose(1, 2)
        if self.use_floor:
            mask[mask < self.floor] = self.floor  # <- culprit
        return mask


def si_sdr(est, ref, eps=1e-8):
    alpha = (est * ref).sum(-1, keepdim=True) / (ref.pow(2).sum(-1, keepdim=True) + eps)
    target = alpha * ref
    return 10 * torch.log10(target.pow(2).sum(-1) / ((est - target).pow(2).sum(-1) + eps) + eps)


def run_epoch(epoch, net, spec, data, opt, iters):
    tot = 0.0
    for _ in range(iters):
        clean, noisy = data.batch(6)
        s = spec.stft(noisy)
        mask = net(s.abs())
        est = spec.istft(s * mask, noisy.shape[-1])
        loss = -si_sdr(est, clean).mean()
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 3.0)
        opt.step()
        tot += loss.item()
    print("epoch %d: SI-SDR %.2f dB" % (epoch, -tot / iters))


if __name__ == "__main__":
    torch.manual_seed(0)
    spec, data = Spectral(), SynthNoisySpeech()
    net = MaskNet(N_FFT // 2 + 1)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    for epoch in range(5):
        if epoch == 2:
            net.use_floor = True
        run_epoch(epoch, net, spec, data, opt, 20)
