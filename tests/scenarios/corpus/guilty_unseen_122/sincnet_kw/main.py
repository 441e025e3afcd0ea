# gradwatch-corpus: kind=second-backward
# holder: self.kernels | model.front.kernels | self.front.kernels
# first-bad: 1
# notice: 0
"""Keyword spotting from raw waveforms with a SincNet-like front end."""
import torch
torch.set_num_threads(1)
from torch import nn

from frontend import SincBank

SR, LEN, WORDS = 800, 200, 4


def utterances(n):
    y = torch.randint(0, WORDS, (n,))
    t = torch.arange(LEN) / SR
    f = 40.0 + 70.0 * y.float()[:, None] + 5 * torch.randn(n, 1)
    wave = torch.sin(2 * torch.pi * f * t + 6.28 * torch.rand(n, 1))
    return wave + 0.3 * torch.randn(n, LEN), y


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = SincBank(bands=8, taps=31, sr=SR)
        self.norm = nn.InstanceNorm1d(8)
        self.conv = nn.Conv1d(8, 12, 5, stride=2)
        self.head = nn.Linear(12, WORDS)

    def forward(self, wav):
        z = self.front(wav.unsqueeze(1)).abs()
        z = torch.relu(self.conv(self.norm(z)))
        return self.head(z.mean(-1))


def train(steps=300):
    torch.manual_seed(12)
    model = Spotter()
    groups = [{"params": model.front.parameters(), "lr": 0.5}, {"params": model.conv.parameters()},
              {"params": model.head.parameters()}]
    opt = torch.optim.Adam(groups, lr=3e-3)
    for s in range(steps):
        wav, y = utterances(12)
        loss = nn.functional.cross_entropy(model(wav), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if s % 50 == 0:
            print(s, loss.item(), model.front.low_hz.detach().round().tolist())


if __name__ == "__main__":
    train()
