# gradwatch-corpus: kind=memory-climb
# holder: self.scores | monitor.scores | self.monitor.scores | tagging.monitor.scores
# first-bad: 1
# notice: 100
"""Multi-label tags for catalogue entries (bag of words in, 900 tags out)."""
import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

WORDS, TAGS = 300, 900


class Catalogue(Dataset):
    def __init__(self, n, seed):
        rng = np.random.default_rng(seed)
        self.words = torch.from_numpy(rng.poisson(0.15, (n, WORDS)).astype("float32"))
        mix = torch.from_numpy(np.random.default_rng(0).normal(size=(WORDS, TAGS)).astype("float32"))
        logits = self.words @ mix
        self.tags = (logits > logits.mean() + logits.std()).float()

    def __len__(self):
        return len(self.words)

    def __getitem__(self, i):
        return self.words[i], self.tags[i]


class TagNet(nn.Module):
    def __init__(self, hidden=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(WORDS, hidden), nn.ReLU(), nn.Linear(hidden, TAGS))

    def forward(self, words):
        return self.net(words.log1p())


class ScoreMonitor:
    """Watches how sure the net is of the tags it gives."""

    def __init__(self, threshold=0.5):
        self.threshold = threshold
        self.scores = []
        self.given = 0

    def add(self, logits):
        probs = logits.detach().sigmoid()
        self.scores.append(probs)  # <- culprit
        self.given += int((probs > self.threshold).sum())

    def mean_confidence(self, last=20):
        recent = torch.cat(self.scores[-last:])
        return float((recent - 0.5).abs().mean() * 2)


class Tagging:
    def __init__(self, net, lr=1e-2):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.criterion = nn.BCEWithLogitsLoss()
        self.monitor = ScoreMonitor()

    def fit_one(self, words, tags):
        self.optimizer.zero_grad()
        logits = self.net(words)
        loss = self.criterion(logits, tags)
        loss.backward()
        self.optimizer.step()
        self.monitor.add(logits)  # <- culprit
        return loss.item()

    def fit(self, loader, epochs):
        for epoch in range(epochs):
            losses = [self.fit_one(words, tags) for words, tags in loader]
            print(
                f"epoch {epoch}: bce {np.mean(losses):.4f}"
                f"  confidence {self.monitor.mean_confidence():.3f}"
                f"  tags given {self.monitor.given}"
            )


def precision(net, loader):
    net.eval()
    hit = given = 0
    with torch.no_grad():
        for words, tags in loader:
            guess = net(words) > 0
            hit += int((guess & tags.bool()).sum())
            given += int(guess.sum())
    return hit / max(given, 1)


if __name__ == "__main__":
    torch.manual_seed(6)
    train = DataLoader(Catalogue(4800, 1), batch_size=96, shuffle=True)
    test = DataLoader(Catalogue(480, 2), batch_size=240)
    tagging = Tagging(TagNet())
    tagging.fit(train, epochs=5)
    print(f"test precision {precision(tagging.net, test):.3f}")
