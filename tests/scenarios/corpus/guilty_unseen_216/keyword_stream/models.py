import torch
import torch.nn as nn


class StreamingEncoder(nn.Module):
    """GRU over mel frames; keeps its state between chunks of the same streams."""

    def __init__(self, n_mels, hidden):
        super().__init__()
        self.norm = nn.LayerNorm(n_mels)
        self.rnn = nn.GRU(n_mels, hidden, batch_first=True)
        self.hidden = None

    def reset(self):
        self.hidden = None

    def forward(self, mel):
        out, self.hidden = self.rnn(self.norm(mel), self.hidden)  # <- culprit
        return out


class KeywordSpotter(nn.Module):
    def __init__(self, n_mels, hidden, n_keywords):
        super().__init__()
        self.encoder = StreamingEncoder(n_mels, hidden)
        self.att = nn.Linear(hidden, 1)
        self.head = nn.Linear(hidden, n_keywords)

    def forward(self, mel):
        h = self.encoder(mel)
        w = torch.softmax(self.att(h), dim=1)
        return self.head((w * h).sum(1))
