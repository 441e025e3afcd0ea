import torch.nn as nn

from layers import FiLM, ResBlock, ThemeEncoder


class PuzzleRater(nn.Module):
    def __init__(self, names, ch=12):
        super().__init__()
        self.themes = ThemeEncoder(names)
        self.stem = nn.Conv2d(12, ch, 3, padding=1)
        self.film = FiLM(16, ch)
        self.block = ResBlock(ch)
        self.head = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(ch, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, boards, theme):
        x = self.film(self.stem(boards), self.themes(theme))
        return self.head(self.block(x)).squeeze(-1)
