# gradwatch-corpus: kind=crashed
# holder: est | score
# first-bad: 0
# notice: 0
"""Tiny speech enhancer trained on scale-invariant SDR."""
import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(52)


def si_sdr(reference, estimate, eps=1e-8):
    """Scale-invariant SDR in dB, as in our evaluation toolkit (numpy, one row a signal)."""
    ref = reference - reference.mean(-1, keepdims=True)
    est = estimate - estimate.mean(-1, keepdims=True)
    a = (est * ref).sum(-1, keepdims=True) / ((ref ** 2).sum(-1, keepdims=True) + eps)
    noise = est - a * ref
    return 10 * np.log10(((a * ref) ** 2).sum(-1) / ((noise ** 2).sum(-1) + eps) + eps)


class SDRLoss(nn.Module):
    def forward(self, est, clean):
        score = si_sdr(clean.numpy(), est.detach().numpy())  # <- culprit
        return -torch.from_numpy(score).mean()


class Enhancer(nn.Module):
    def __init__(self, ch=6):
        super().__init__()
        self.down = nn.Conv1d(1, ch, 9, padding=4)
        self.mask = nn.Conv1d(ch, ch, 9, padding=4)
        self.up = nn.Conv1d(ch, 1, 9, padding=4)

    def forward(self, noisy):
        z = self.down(noisy.unsqueeze(1))
        return self.up(z * torch.sigmoid(self.mask(z))).squeeze(1)


def mixtures(n, length=64):
    t = torch.linspace(0, 1, length)
    clean = torch.sin(2 * np.pi * (3 + 5 * torch.rand(n, 1)) * t)
    return clean, clean + 0.4 * torch.randn(n, length)


class Session:
    def __init__(self):
        self.net, self.criterion = Enhancer(), SDRLoss()
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-3)

    def step(self, clean, noisy):
        loss = self.criterion(self.net(noisy), clean)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


s = Session()
for i in range(200):
    db = s.step(*mixtures(8))
    if i % 40 == 0:
        print(f"{i}: {-db:.2f} dB")
