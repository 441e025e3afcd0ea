# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | prior.smoothed
# first-bad: 1
"""Long-tailed classification with a learned, smoothed logit adjustment."""
import torch
from torch import nn
import torch.nn.functional as F


class LearnedPrior(nn.Module):
    def __init__(self, counts, momentum=0.9):
        super().__init__()
        freq = counts / counts.sum()
        self.logits = nn.Parameter(freq.log())
        self.momentum = momentum
        self.smoothed = None

    def forward(self):
        current = self.logits
        if self.smoothed is None:
            self.smoothed = current.detach().clone()
        self.smoothed = torch.lerp(current, self.smoothed, self.momentum)  # <- culprit
        return self.smoothed


class Classifier(nn.Module):
    def __init__(self, dim, n_classes):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.1))
        self.fc = nn.Linear(48, n_classes)

    def forward(self, x):
        return self.fc(self.net(x))


class LongTail:
    def __init__(self, n_classes=8, dim=12, seed=9):
        self.gen = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(n_classes, dim, generator=self.gen) * 1.4
        self.counts = 400 * 0.6 ** torch.arange(n_classes).float()

    def draw(self, n, balanced=False):
        w = torch.ones_like(self.counts) if balanced else self.counts
        y = torch.multinomial(w, n, replacement=True, generator=self.gen)
        return self.centres[y] + torch.randn(n, self.centres.size(1), generator=self.gen), y


@torch.no_grad()
def balanced_accuracy(model, data):
    model.eval()
    x, y = data.draw(256, balanced=True)
    acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def main(steps=500):
    torch.manual_seed(0)
    data = LongTail()
    model = Classifier(12, 8)
    prior = LearnedPrior(data.counts)
    opt = torch.optim.Adam(
        [{"params": model.parameters()}, {"params": prior.parameters(), "lr": 1e-4}], lr=2e-3
    )
    for step in range(steps):
        x, y = data.draw(32)
        logits = model(x) + prior()
        loss = F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if (step + 1) % 100 == 0:
            print(f"step {step + 1} loss {loss.item():.4f} bal-acc {balanced_accuracy(model, data):.3f}")


if __name__ == "__main__":
    main()
