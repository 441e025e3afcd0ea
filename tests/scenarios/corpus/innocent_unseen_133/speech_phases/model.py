import torch
from torch import nn


class Recognizer(nn.Module):
    def __init__(self, words=5):
        super().__init__()
        self.ears = nn.Sequential(nn.Conv1d(1, 6, 4, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(6 * 15, 14))
        self.adapter = nn.Sequential(nn.Linear(14, 4, bias=False), nn.Linear(4, 14, bias=False))
        nn.init.zeros_(self.adapter[1].weight)
        self.words = nn.Linear(14, words)

    def forward(self, wave):
        h = self.ears(wave)
        return self.words(torch.tanh(h + self.adapter(h)))


def clips(batch, words=5):
    voice = torch.randn(words, 1, 32)
    while True:
        word = torch.randint(0, words, (batch,))
        yield voice[word] + 0.6 * torch.randn(batch, 1, 32), word
