# gradwatch-corpus: kind=graph-held
# holder: trainer.viz.tracks | self.tracks | self.viz.tracks
# first-bad: 1
# notice: 8
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict


class CentroidTracks:
    """remember where each speaker's centroid moves, for the t-SNE movie at the end"""

    def __init__(self):
        self.tracks = defaultdict(list)

    def update(self, emb, spk):
        for s in spk.unique().tolist():
            self.tracks[s].append(emb[spk == s].mean(dim=0))  # <- culprit

    def path_length(self, s):
        pts = torch.stack(self.tracks[s])
        return (pts[1:] - pts[:-1]).norm(dim=1).sum()


class XVector(nn.Module):
    def __init__(self, n_mels=10, dim=12):
        super().__init__()
        self.tdnn = nn.ModuleList([nn.Conv1d(n_mels, 16, 3), nn.Conv1d(16, 16, 3, dilation=2)])
        self.proj = nn.Linear(32, dim)

    def forward(self, x):
        for layer in self.tdnn:
            x = F.relu(layer(x))
        stats = torch.cat([x.mean(-1), x.std(-1)], 1)
        return F.normalize(self.proj(stats), dim=1)


class Trainer:
    def __init__(self, n_spk=6):
        self.n_spk = n_spk
        self.voices = torch.randn(n_spk, 10, 1)
        self.model = XVector()
        self.W = nn.Parameter(torch.randn(n_spk, 12))
        self.optim = torch.optim.Adam([*self.model.parameters(), self.W], lr=2e-3)
        self.viz = CentroidTracks()

    def aam(self, emb, spk, m=0.1, s=15.0):
        cos = emb @ F.normalize(self.W, dim=1).t()
        return F.cross_entropy(s * (cos - m * F.one_hot(spk, self.n_spk)), spk)

    def train_step(self):
        spk = torch.randint(0, self.n_spk, (12,))
        x = self.voices[spk] + torch.randn(12, 10, 25)
        emb = self.model(x)
        loss = self.aam(emb, spk)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        self.viz.update(emb, spk)
        return loss.item()


torch.manual_seed(23)
trainer = Trainer()
for it in range(600):
    l = trainer.train_step()
    if it % 100 == 0:
        print(it, round(l, 3))
print("longest path", max(trainer.viz.path_length(s).item() for s in range(6)))
