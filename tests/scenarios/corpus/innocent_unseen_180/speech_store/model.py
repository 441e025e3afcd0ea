import torch
from torch import nn


class FrameTagger(nn.Module):
    def __init__(self, n_mel=20, hidden=32, n_phones=9):
        super().__init__()
        self.rnn = nn.GRU(n_mel, hidden, batch_first=True)
        self.head = nn.Linear(hidden, n_phones)

    def forward(self, x):
        out, h = self.rnn(x)
        return self.head(out), h.squeeze(0)


class Utterances:
    def __init__(self, seed, n_phones=9, n_mel=20):
        self.gen = torch.Generator().manual_seed(seed)
        self.means = torch.randn(n_phones, n_mel, generator=self.gen)
        self.n_phones = n_phones

    def sample(self, batch=8, frames=14):
        y = torch.randint(0, self.n_phones, (batch, frames // 2), generator=self.gen)
        y = y.repeat_interleave(2, dim=1)
        x = self.means[y] + 0.8 * torch.randn(batch, frames, self.means.size(1), generator=self.gen)
        return x, y
