# gradwatch-corpus: kind=inplace-modified
# first-bad: 7
# notice: 0
# after: Jee-King/TSAN #3 ("out = x --> out = x.clone()") and forum "mask[idx] = 0 after sigmoid modified by an inplace operation"
"""Speech enhancement for hearing aids: a mask on the magnitude spectrogram.

Port of the enhancement notebook. From step VAD_FROM on frames without voice get a zero mask.
"""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SR = 4000
N_FFT = 128
HOP = 64
CLIP = 2048
BATCH = 8
STEPS = 100
VAD_FROM = 7


def speech(n, g):
    """Harmonic bursts with silence between them."""
    t = torch.arange(CLIP) / SR
    f0 = 90 + 80 * torch.rand(n, 1, generator=g)
    x = sum(torch.sin(2 * math.pi * k * f0 * t + k) / k for k in range(1, 5))
    start = torch.randint(0, CLIP // 2, (n, 1), generator=g)
    length = torch.randint(CLIP // 4, CLIP // 2, (n, 1), generator=g)
    pos = torch.arange(CLIP)
    return x * ((pos >= start) & (pos < start + length))


window = torch.hann_window(N_FFT)


def magnitude(x):
    return torch.stft(x, N_FFT, HOP, window=window, return_complex=True).abs()


class MaskNet(nn.Module):
    def __init__(self, bins=N_FFT // 2 + 1, hidden=48):
        super(MaskNet, self).__init__()
        self.conv1 = nn.Conv1d(bins, hidden, 3, padding=1)
        self.gru = nn.GRU(hidden, hidden, batch_first=True)
        self.conv2 = nn.Conv1d(hidden, bins, 1)
        self.gate_silence = False

    def forward(self, mag, voiced):
        h = F.relu(self.conv1(torch.log1p(mag)))
        h, _ = self.gru(h.transpose(1, 2))
        mask = torch.sigmoid(self.conv2(h.transpose(1, 2)))
        if self.gate_silence:
            mask = mask.transpose(1, 2)
            mask[~voiced] = 0.0  # <- culprit
            mask = mask.transpose(1, 2)
        return mask


def voice_activity(clean_mag, thr=0.05):
    energy = clean_mag.pow(2).mean(1)
    return energy > thr * energy.amax(1, keepdim=True)


def si_error(est, ref):
    return (F.l1_loss(est, ref) + F.l1_loss(torch.log1p(est), torch.log1p(ref))) / 2


def main():
    torch.manual_seed(2)
    g = torch.Generator().manual_seed(2)
    net = MaskNet()
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, STEPS)
    for step in range(STEPS):
        net.gate_silence = step >= VAD_FROM
        clean = speech(BATCH, g)
        noisy = clean + 0.3 * torch.randn(clean.shape, generator=g)
        ref, mag = magnitude(clean), magnitude(noisy)
        mask = net(mag, voice_activity(ref))
        loss = si_error(mask * mag, ref)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        opt.step()
        sched.step()
        print("step %d loss %.4f" % (step, loss.item()))


if __name__ == "__main__":
    main()
