# gradwatch-corpus: kind=inplace-modified
# holder: gain
# first-bad: 80
# notice: 0
"""Spectral-mask speech enhancement on synthetic spectrogram frames."""
import torch

torch.set_num_threads(1)
from torch import nn


class MaskNet(nn.Module):
    def __init__(self, bins=20, hidden=16, floor=0.05):
        super().__init__()
        self.rnn = nn.GRU(bins, hidden, batch_first=True)
        self.to_mask = nn.Linear(hidden, bins)
        self.floor = floor
        self.gating = False

    def forward(self, noisy):
        h, _ = self.rnn(torch.log1p(noisy))
        gain = torch.sigmoid(self.to_mask(h))
        if self.gating:
            gain = self._gate(gain, noisy)
        return gain * noisy

    def _gate(self, gain, noisy):
        quiet = noisy < 0.2
        gain[quiet] = self.floor  # <- culprit
        return gain


class GateSchedule:
    def __init__(self, start_epoch):
        self.start_epoch = start_epoch

    def epoch_begin(self, epoch, net):
        net.gating = epoch >= self.start_epoch


def spectrograms(n_batches=20, bins=20):
    for _ in range(n_batches):
        env = torch.rand(4, 12, 1)
        clean = env * torch.rand(4, 1, bins).pow(2)
        yield clean + 0.3 * torch.rand_like(clean), clean


def main(epochs=12):
    torch.manual_seed(28)
    net = MaskNet()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    hooks = [GateSchedule(start_epoch=4)]
    for epoch in range(epochs):
        for h in hooks:
            h.epoch_begin(epoch, net)
        total = 0.0
        for noisy, clean in spectrograms():
            loss = nn.functional.mse_loss(net(noisy), clean)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / 20:.5f}")


if __name__ == "__main__":
    main()
