from torch import nn


class AcousticModel(nn.Module):
    def __init__(self, features, channels, phones):
        super().__init__()
        self.context = nn.Conv1d(features, channels, 5, padding=2)
        self.activation = nn.GELU()
        self.norm = nn.LayerNorm(channels)
        self.output = nn.Linear(channels, phones)

    def forward(self, frames):
        hidden = self.context(frames.transpose(1, 2))
        hidden = self.activation(hidden).transpose(1, 2)
        return self.output(self.norm(hidden))
