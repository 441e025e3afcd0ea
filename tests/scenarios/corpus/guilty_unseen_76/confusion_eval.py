# gradwatch-corpus: kind=graph-held
# holder: self.scores | self.cm.scores | runner.cm.scores
# first-bad: 5
# notice: 50
# also: graph-unused
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)

CLASSES = ["walk", "run", "sit", "climb"]


def make_dataset(n=480, length=32):
    """Fake accelerometer windows: one base frequency for each activity."""
    g = torch.Generator().manual_seed(9)
    y = torch.randint(0, len(CLASSES), (n,), generator=g)
    t = torch.linspace(0, 1, length)
    freq = 2.0 + 2.5 * y.float()
    ph = torch.rand(n, generator=g) * 6.28
    base = torch.sin(6.28 * freq[:, None] * t + ph[:, None])
    x = torch.stack([base, base.roll(3, 1), base.abs()], 1)
    return TensorDataset(x + 0.5 * torch.randn(x.shape, generator=g), y)


class HARNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(3, 12, 5, padding=2)
        self.c2 = nn.Conv1d(12, 16, 5, padding=2)
        self.bn = nn.BatchNorm1d(16)
        self.drop = nn.Dropout(0.2)
        self.fc = nn.Linear(16, len(CLASSES))

    def forward(self, x):
        x = F.max_pool1d(F.relu(self.c1(x)), 2)
        x = F.relu(self.bn(self.c2(x))).mean(-1)
        return self.fc(self.drop(x))


class Confusion:
    """Collects the scores of every validation; the matrix at the end covers the whole run."""

    def __init__(self, n):
        self.n = n
        self.scores, self.labels = [], []

    def update(self, scores, labels):
        self.scores.append(scores)  # <- culprit
        self.labels.append(labels)

    def matrix(self, last=None):
        start = 0 if last is None else -last
        pred = torch.cat([s.argmax(1) for s in self.scores[start:]])
        true = torch.cat(self.labels[start:])
        return torch.bincount(true * self.n + pred, minlength=self.n ** 2).view(self.n, self.n)


class Runner:
    def __init__(self, model, train_set, val_set):
        self.model = model
        self.train_loader = DataLoader(train_set, batch_size=32, shuffle=True, drop_last=True)
        self.val_loader = DataLoader(val_set, batch_size=60)
        self.optim = torch.optim.Adam(model.parameters(), lr=4e-3)
        self.cm = Confusion(len(CLASSES))
        self.step = 0

    def validate(self):
        self.model.eval()
        n = 0
        for x, y in self.val_loader:
            out = self.model(x)  # <- culprit
            self.cm.update(out, y)  # <- culprit
            n += 1
        self.model.train()
        m = self.cm.matrix(last=n)
        return m.diag().sum().item() / m.sum().item()

    def train(self, epochs=12, val_every=5):
        for epoch in range(epochs):
            seen = 0.0
            for x, y in self.train_loader:
                self.optim.zero_grad()
                loss = F.cross_entropy(self.model(x), y, label_smoothing=0.05)
                loss.backward()
                self.optim.step()
                seen += loss.item() * len(y)
                self.step += 1
                if self.step % val_every == 0:
                    acc = self.validate()
            print(f"epoch {epoch} loss {seen / 360:.3f} last val acc {acc:.3f}")
        print(self.cm.matrix().tolist())


if __name__ == "__main__":
    torch.manual_seed(2)
    train_set, val_set = random_split(make_dataset(), [360, 120])
    Runner(HARNet(), train_set, val_set).train()
