# gradwatch-corpus: kind=graph-chain
# holder: self.embed_avg | self.vq.embed_avg | self.codebook | model.vq.embed_avg | model.vq.codebook | vq.embed_avg | vq.codebook
# first-bad: 1
# notice: 5
"""VQ-VAE tokenizer for short waveform frames, EMA codebook (van den Oord et al., appendix A.1)."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

K, D, FRAME, BATCH, STEPS = 32, 8, 64, 64, 200


class PlainSGD(torch.optim.Optimizer):
    """Momentum SGD over .data, ported from our lua code."""

    def __init__(self, params, lr, momentum=0.9):
        super().__init__(params, dict(lr=lr, momentum=momentum))

    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                buf = self.state[p].setdefault("buf", torch.zeros_like(p.data))
                buf.mul_(group["momentum"]).add_(p.grad.data)
                p.data.add_(buf, alpha=-group["lr"])


class EMAQuantizer(nn.Module):
    def __init__(self, k, d, decay=0.95, eps=1e-5):
        super().__init__()
        self.k, self.decay, self.eps = k, decay, eps
        self.codebook = torch.randn(k, d)
        self.embed_avg = self.codebook.clone()
        self.cluster_size = torch.ones(k)

    def forward(self, z):
        with torch.no_grad():
            dist = torch.cdist(z, self.codebook)
            codes = dist.argmin(1)
        q = self.codebook[codes]
        if self.training:
            self.update(z, F.one_hot(codes, self.k).float())  # <- culprit
        commit = F.mse_loss(z, q)  # <- culprit
        return z + (q - z).detach(), commit, codes

    def update(self, z, onehot):
        self.cluster_size = self.decay * self.cluster_size + (1 - self.decay) * onehot.sum(0)
        n = self.cluster_size.sum()
        size = (self.cluster_size + self.eps) / (n + self.k * self.eps) * n
        self.embed_avg = self.decay * self.embed_avg + (1 - self.decay) * onehot.t() @ z  # <- culprit
        self.codebook = self.embed_avg / size.unsqueeze(1)  # <- culprit


class Tokenizer(nn.Module):
    def __init__(self):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(FRAME, 64), nn.ELU(), nn.Linear(64, D))
        self.dec = nn.Sequential(nn.Linear(D, 64), nn.ELU(), nn.Linear(64, FRAME))
        self.vq = EMAQuantizer(K, D)

    def forward(self, x):
        zq, commit, codes = self.vq(self.enc(x))
        return self.dec(zq), commit, codes


def frames(n):
    t = torch.linspace(0, 1, FRAME)
    f = torch.randint(1, 9, (n, 1)).float()
    ph = (torch.randint(0, 4, (n, 1)) / 4).float()
    return torch.sin(2 * math.pi * (f * t + ph)) + 0.05 * torch.randn(n, FRAME)


def perplexity(codes):
    p = torch.bincount(codes, minlength=K).float() / codes.numel()
    return torch.exp(-(p * (p + 1e-10).log()).sum()).item()


def main():
    torch.set_num_threads(1)
    torch.manual_seed(3)
    model = Tokenizer()
    opt = PlainSGD(model.parameters(), lr=0.02)
    window = torch.hann_window(FRAME)
    for it in range(STEPS):
        x = frames(BATCH)
        recon, commit, codes = model(x)
        rec = F.mse_loss(recon, x)
        spec = F.l1_loss(torch.fft.rfft(recon * window).abs(), torch.fft.rfft(x * window).abs())
        loss = rec + 0.1 * spec + 0.25 * commit
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if it % 25 == 24:
            print(f"it {it + 1:4d} rec {rec.item():.4f} spec {spec.item():.4f} "
                  f"commit {commit.item():.4f} ppl {perplexity(codes):.1f}")


if __name__ == "__main__":
    main()
