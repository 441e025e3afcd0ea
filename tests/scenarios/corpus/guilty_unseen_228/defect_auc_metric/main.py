# gradwatch-corpus: kind=graph-held
# holder: self.scores | metrics.metrics["auroc"].scores
# first-bad: 1
"""Surface defect detection on small patches from a steel line."""
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from metrics import AUROC, Accuracy, MetricCollection


class SteelPatches(Dataset):
    def __init__(self, n, seed):
        gen = torch.Generator().manual_seed(seed)
        self.images = 0.5 * torch.randn(n, 1, 20, 20, generator=gen)
        self.labels = (torch.rand(n, generator=gen) < 0.4).float()
        for i in range(n):
            if self.labels[i] > 0:
                row = int(torch.randint(2, 18, (1,), generator=gen))
                self.images[i, 0, row, 4:16] += 1.2

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        return self.images[i], self.labels[i]


def conv_block(c_in, c_out):
    return nn.Sequential(
        nn.Conv2d(c_in, c_out, 3, padding=1, bias=False),
        nn.GroupNorm(4, c_out),
        nn.ReLU(),
        nn.MaxPool2d(2),
    )


def make_model():
    return nn.Sequential(
        conv_block(1, 8),
        conv_block(8, 16),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 1),
        nn.Flatten(0),
    )


def main():
    torch.manual_seed(99)
    loader = DataLoader(SteelPatches(960, seed=1), batch_size=24, shuffle=True)
    model = make_model()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    criterion = nn.BCEWithLogitsLoss()
    metrics = MetricCollection(acc=Accuracy(), auroc=AUROC())
    for epoch in range(3):
        model.train()
        for images, labels in loader:
            logits = model(images)
            loss = criterion(logits, labels)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            metrics.update(logits.sigmoid(), labels)  # <- culprit
        summary = metrics.compute()
        print(f"epoch {epoch} " + " ".join(f"{k}={v:.4f}" for k, v in summary.items()))


if __name__ == "__main__":
    main()
