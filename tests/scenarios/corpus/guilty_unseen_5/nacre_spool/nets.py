import torch
from torch import nn


class KeywordNet(nn.Module):
    """Small depthwise-separable convnet over log-mel frames."""

    def __init__(self, mels=24, width=32, words=10):
        super().__init__()
        self.inlet = nn.Conv1d(mels, width, 5, stride=2, padding=2)
        self.deep = nn.Conv1d(width, width, 5, padding=2, groups=width)
        self.mix = nn.Conv1d(width, width, 1)
        self.norm = nn.GroupNorm(4, width)
        self.out = nn.Linear(width, words)

    def forward(self, mel):
        z = torch.relu(self.inlet(mel))
        z = z + torch.relu(self.norm(self.mix(self.deep(z))))
        return self.out(z.mean(-1))


def utterances(seed, words=10, mels=24, frames=40, batch=16):
    g = torch.Generator().manual_seed(seed)
    shapes = torch.randn(words, mels, frames, generator=g)
    while True:
        word = torch.randint(words, (batch,), generator=g)
        noise = torch.randn(batch, mels, frames, generator=g)
        yield shapes[word] + 1.5 * noise, word
