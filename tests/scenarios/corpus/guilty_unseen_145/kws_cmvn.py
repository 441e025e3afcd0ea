# gradwatch-corpus: kind=graph-chain
# holder: model.frontend.mu | frontend.mu | self.mu | self.frontend.mu
# first-bad: 1
# notice: 5
"""Keyword spotting with a trainable filterbank and running cepstral mean normalisation."""
import math

import torch

torch.set_num_threads(1)
from torch import nn


class Filterbank(nn.Module):
    def __init__(self, n_fft=33, n_mel=10, decay=0.95):
        super().__init__()
        self.fb = nn.Parameter(torch.rand(n_fft, n_mel) / n_fft)
        self.decay = decay
        self.mu = torch.zeros(n_mel)

    def forward(self, power):
        energies = torch.log(torch.relu(power @ self.fb) + 1e-3)
        batch_mu = energies.mean(dim=(0, 1))
        self.mu = self.decay * self.mu + (1 - self.decay) * batch_mu  # <- culprit
        return energies - self.mu


class Spotter(nn.Module):
    def __init__(self, n_words=4):
        super().__init__()
        self.frontend = Filterbank()
        self.tdnn = nn.Conv1d(10, 12, 3, padding=1)
        self.out = nn.Linear(12, n_words)

    def forward(self, power):
        x = self.frontend(power).transpose(1, 2)
        return self.out(torch.relu(self.tdnn(x)).mean(2))


def utterances(batch, frames=9):
    word = torch.randint(0, 4, (batch,))
    n = torch.arange(64)
    f0 = (3 + 5 * word).float()[:, None, None] + 0.3 * torch.randn(batch, frames, 1)
    wave = torch.sin(2 * math.pi * f0 * n / 64) + 0.3 * torch.randn(batch, frames, 64)
    return torch.fft.rfft(wave, dim=-1).abs() ** 2 / 64, word


def run():
    torch.manual_seed(8)
    model = Spotter()
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    criterion = nn.CrossEntropyLoss()
    right = seen = 0
    for batch_no in range(220):
        power, word = utterances(6)
        logits = model(power)
        optim.zero_grad()
        criterion(logits, word).backward(retain_graph=True)
        optim.step()
        right += (logits.argmax(1) == word).sum().item()
        seen += len(word)
    print(f"running accuracy {right / seen:.3f}")


run()
