import torch
from torch import nn

from gate import gate


class Stream(nn.Module):
    def __init__(self, name, n_in, dim):
        super().__init__()
        self.name = name
        self.conv = nn.Conv1d(n_in, dim, 3, padding=1)
        self.norm = nn.GroupNorm(4, dim)

    def forward(self, x, scale):
        h = torch.relu(self.norm(self.conv(x.transpose(1, 2))))
        return gate(h.mean(-1), scale, self.name)


class LipReader(nn.Module):
    def __init__(self, n_words, dim=16):
        super().__init__()
        self.mouth = Stream("mouth", 10, dim)
        self.audio = Stream("audio", 6, dim)
        self.head = nn.Linear(2 * dim, n_words)

    def forward(self, mouth, audio, strength):
        return self.head(torch.cat([self.mouth(mouth, 1.0), self.audio(audio, 1.0 - 0.7 * strength)], -1))
