# gradwatch-corpus: kind=graph-held
# holder: self.enrolled | table.enrolled | trainer.table.enrolled | self.table.enrolled
# first-bad: 1
"""Speaker embedding training on synthetic filterbanks with a running enrolment table for quick EER checks."""
import torch
from torch import nn
import torch.nn.functional as F

SPEAKERS = 150
MELS = 24
FRAMES = 40


class XVector(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.tdnn1 = nn.Conv1d(MELS, 48, 5, padding=2)
        self.tdnn2 = nn.Conv1d(48, 48, 3, padding=2, dilation=2)
        self.proj = nn.Linear(96, dim)

    def forward(self, feats):
        h = F.relu(self.tdnn1(feats))
        h = F.relu(self.tdnn2(h))
        stats = torch.cat([h.mean(dim=2), h.std(dim=2)], dim=1)
        return F.normalize(self.proj(stats), dim=1)


class EnrolmentTable:
    def __init__(self):
        self.enrolled = {}

    def update(self, speakers, embeddings):
        for spk, emb in zip(speakers.tolist(), embeddings):
            self.enrolled[spk] = emb  # <- culprit

    @torch.no_grad()
    def equal_error(self, speakers, embeddings):
        same = []
        other = []
        for spk, emb in zip(speakers.tolist(), embeddings):
            for ref, vec in self.enrolled.items():
                score = torch.dot(emb, vec).item()
                (same if ref == spk else other).append(score)
        if not same or not other:
            return float("nan")
        same = torch.tensor(same)
        other = torch.tensor(other)
        best = 1.0
        for thr in torch.linspace(-1, 1, 81):
            miss = (same < thr).float().mean().item()
            fa = (other >= thr).float().mean().item()
            best = min(best, max(miss, fa))
        return best


class Trainer:
    def __init__(self):
        torch.manual_seed(41)
        self.voices = torch.randn(SPEAKERS, MELS, 1)
        self.net = XVector()
        self.centres = nn.Parameter(torch.randn(SPEAKERS, 32))
        params = list(self.net.parameters()) + [self.centres]
        self.opt = torch.optim.Adam(params, lr=3e-3)
        self.table = EnrolmentTable()

    def draw(self, n):
        spk = torch.randint(0, SPEAKERS, (n,))
        return self.voices[spk] + torch.randn(n, MELS, FRAMES), spk

    def train_step(self):
        feats, spk = self.draw(4)
        emb = self.net(feats)
        logits = 12.0 * emb @ F.normalize(self.centres, dim=1).t()
        loss = F.cross_entropy(logits, spk)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.table.update(spk, emb)  # <- culprit
        return loss.item()

    def evaluate(self):
        feats, spk = self.draw(16)
        with torch.no_grad():
            emb = self.net(feats)
        return self.table.equal_error(spk, emb)


trainer = Trainer()
for it in range(150):
    value = trainer.train_step()
    if it % 50 == 49:
        print(f"iter {it + 1} loss {value:.3f} eer {trainer.evaluate():.3f} enrolled {len(trainer.table.enrolled)}")
