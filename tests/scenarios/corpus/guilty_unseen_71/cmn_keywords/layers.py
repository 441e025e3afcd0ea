import torch
from torch import nn


class RunningStat(nn.Module):
    """Keeps an exponential average of its input over batch and time."""

    def __init__(self, dim, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("seen", torch.zeros((), dtype=torch.long))

    def track(self, x):
        m = self.momentum if self.seen > 0 else 0.0
        self.mean = m * self.mean + (1 - m) * x.mean(dim=(0, 1))  # <- culprit
        self.seen += 1


class CepstralNorm(RunningStat):
    def __init__(self, dim, momentum=0.9):
        super().__init__(dim, momentum)
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        if self.training:
            self.track(x)
        return (x - self.mean) * self.gain


class KeywordNet(nn.Module):
    def __init__(self, n_mels, feat, words):
        super().__init__()
        self.front = nn.Linear(n_mels, feat)
        self.norm = CepstralNorm(feat)
        self.rnn = nn.GRU(feat, 16, batch_first=True)
        self.word = nn.Linear(16, words)
        self.voice = nn.Linear(16, 2)

    def forward(self, mel):
        x = self.norm(torch.tanh(self.front(mel)))
        out, _ = self.rnn(x)
        top = out.mean(dim=1)
        return self.word(top), self.voice(top)
