# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Two-speaker mask estimation on synthetic spectrograms, permutation invariant."""
from itertools import permutations

import torch
from torch import nn

BINS, FRAMES, SPK = 24, 20, 2


class MaskNet(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.rnn = nn.GRU(BINS, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, SPK * BINS)

    def forward(self, mix):
        h, _ = self.rnn(torch.log1p(mix))
        m = self.out(h).view(*mix.shape[:2], SPK, BINS)
        return torch.sigmoid(m)


class Separator(nn.Module):
    def __init__(self, floor=0.02):
        super().__init__()
        self.net = MaskNet()
        self.floor = floor

    def forward(self, mix, vad):
        masks = self.net(mix)
        masks[~vad] = self.floor  # <- culprit
        est = masks * mix.unsqueeze(2)
        return est, masks


def pit_loss(est, ref):
    cands = []
    for perm in permutations(range(SPK)):
        cands.append((est[:, :, list(perm)] - ref).abs().mean((1, 2, 3)))
    return torch.stack(cands, -1).min(-1).values.mean()


def synth(n):
    f0 = torch.randint(2, 7, (n, SPK, 1))
    bins = torch.arange(BINS)
    comb = (bins % f0 == 0).float()
    env = torch.rand(n, FRAMES, SPK, 1)
    src = env * comb.unsqueeze(1) + 0.01 * torch.rand(n, FRAMES, SPK, BINS)
    quiet = torch.rand(n, FRAMES) < 0.15
    src[quiet] *= 0.05
    return src, ~quiet


def snr(est, ref):
    err = (est - ref).pow(2).sum() + 1e-8
    return (10 * torch.log10(ref.pow(2).sum() / err)).item()


def main(steps=400):
    torch.manual_seed(9)
    model = Separator()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(steps):
        ref, vad = synth(6)
        mix = ref.sum(2)
        est, masks = model(mix, vad)
        loss = pit_loss(est, ref)
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        opt.step()
        if step % 50 == 0:
            print(f"{step} loss {loss.item():.4f} snr {snr(est.detach(), ref):.2f} open {masks.detach().mean().item():.2f}")


if __name__ == "__main__":
    main()
