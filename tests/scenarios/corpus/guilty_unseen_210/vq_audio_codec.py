# gradwatch-corpus: kind=graph-held
# holder: self.ema_sum | codec.vq.ema_sum | self.vq.ema_sum | self.codebook | codec.vq.codebook
# first-bad: 1
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class EMAQuantizer(nn.Module):
    """Vector quantiser whose codebook follows the encoder by exponential averages."""

    def __init__(self, n_codes=64, dim=16, decay=0.97, eps=1e-5):
        super().__init__()
        self.n_codes, self.decay, self.eps = n_codes, decay, eps
        book = torch.randn(n_codes, dim)
        self.register_buffer("codebook", book)
        self.register_buffer("ema_count", torch.ones(n_codes))
        self.register_buffer("ema_sum", book.clone())

    def _update_codebook(self, flat, onehot):
        self.ema_count = self.decay * self.ema_count + (1 - self.decay) * onehot.sum(0)
        self.ema_sum = self.decay * self.ema_sum + (1 - self.decay) * (onehot.T @ flat)  # <- culprit
        n = self.ema_count.sum()
        count = (self.ema_count + self.eps) / (n + self.n_codes * self.eps) * n
        self.codebook = self.ema_sum / count[:, None]

    def forward(self, z):
        B, D, L = z.shape
        flat = z.permute(0, 2, 1).reshape(-1, D)
        with torch.no_grad():
            dist = flat.pow(2).sum(1, keepdim=True) - 2 * flat @ self.codebook.T + self.codebook.pow(2).sum(1)
            idx = dist.argmin(1)
            onehot = F.one_hot(idx, self.n_codes).type_as(flat)
        q = self.codebook.detach()[idx].view(B, L, D).permute(0, 2, 1)
        if self.training:
            self._update_codebook(flat, onehot)  # <- culprit
        commit = F.mse_loss(z, q)
        probs = onehot.mean(0)
        ppl = torch.exp(-(probs * (probs + 1e-9).log()).sum())
        return z + (q - z).detach(), commit, ppl


class ResUnit(nn.Module):
    def __init__(self, c, dil):
        super().__init__()
        self.c1 = nn.Conv1d(c, c, 3, padding=dil, dilation=dil)
        self.c2 = nn.Conv1d(c, c, 1)

    def forward(self, x):
        return x + self.c2(F.elu(self.c1(F.elu(x))))


class Codec(nn.Module):
    def __init__(self, ch=16):
        super().__init__()
        self.encoder = nn.Sequential(nn.Conv1d(1, ch, 7, padding=3), ResUnit(ch, 1), nn.Conv1d(ch, ch, 4, 4),
                                     ResUnit(ch, 3), nn.Conv1d(ch, ch, 4, 4))
        self.vq = EMAQuantizer(dim=ch)
        self.decoder = nn.Sequential(nn.ConvTranspose1d(ch, ch, 4, 4), ResUnit(ch, 1),
                                     nn.ConvTranspose1d(ch, ch, 4, 4), nn.ELU(), nn.Conv1d(ch, 1, 7, padding=3))

    def forward(self, wav):
        z = self.encoder(wav)
        zq, commit, ppl = self.vq(z)
        return self.decoder(zq), commit, ppl


def tone_batch(bs=8, n=512, sr=8000):
    f0 = 100 + 400 * torch.rand(bs, 1)
    t = torch.arange(n) / sr
    wav = sum(torch.sin(2 * math.pi * f0 * k * t) / k for k in (1, 2, 3))
    return (0.5 * wav + 0.01 * torch.randn(bs, n)).unsqueeze(1)


def spectral_loss(x, y):
    loss = 0.0
    for n_fft in (64, 128):
        w = torch.hann_window(n_fft)
        sx = torch.stft(x.squeeze(1), n_fft, n_fft // 4, window=w, return_complex=True).abs()
        sy = torch.stft(y.squeeze(1), n_fft, n_fft // 4, window=w, return_complex=True).abs()
        loss = loss + F.l1_loss(sx, sy)
    return loss


def main(steps=120):
    torch.manual_seed(0)
    codec = Codec().train()
    opt = torch.optim.AdamW(codec.parameters(), lr=1e-3, betas=(0.8, 0.99))
    for step in range(steps):
        wav = tone_batch()
        rec, commit, ppl = codec(wav)
        loss = F.l1_loss(rec, wav) + 0.1 * spectral_loss(rec, wav) + 0.25 * commit
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 30 == 0:
            print(f"{step}: loss {loss.item():.4f} commit {commit.item():.4f} perplexity {ppl.item():.1f}")


if __name__ == "__main__":
    main()
