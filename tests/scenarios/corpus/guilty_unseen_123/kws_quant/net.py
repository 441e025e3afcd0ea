import torch
from torch import nn

from . import ste


class QAct(nn.Module):
    def __init__(self, name, bits=4):
        super().__init__()
        self.name, self.levels = name, 2**bits - 1
        self.scale = nn.Parameter(torch.tensor(3.0))

    def forward(self, x):
        return ste.RoundClip.apply(x, self.scale, self.levels, self.name)


class Spotter(nn.Module):
    def __init__(self, mels, words):
        super().__init__()
        self.stem = nn.Conv1d(mels, 12, 3, padding=1)
        self.q1 = QAct("stem")
        self.mid = nn.Conv1d(12, 12, 3, padding=1, groups=4)
        self.q2 = QAct("mid")
        self.out = nn.Linear(12, words)

    def forward(self, spec):
        h = self.q1(self.stem(spec))
        h = self.q2(self.mid(h))
        return self.out(h.mean(-1))

    def clip_report(self):
        return {k: round(ste.clipped_share(k), 3) for k in ("stem", "mid")}
