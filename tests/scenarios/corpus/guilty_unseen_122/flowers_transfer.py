# gradwatch-corpus: kind=crashed
# first-bad: 40
# notice: 0
#!/usr/bin/env python
# Posted on the forum: "training works in the first epoch, then crashes"
import time
import torch
torch.set_num_threads(1)
import torch.nn as nn
from torch.utils.data import Dataset, DataLoader

torch.manual_seed(3)


class Flowers(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, 3, (n,), generator=g)
        self.x = torch.rand(n, 3, 10, 10, generator=g)
        for i, c in enumerate(self.y.tolist()):
            self.x[i, c] += 0.5

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


loaders = {
    "train": DataLoader(Flowers(320, 0), batch_size=8, shuffle=True),
    "val": DataLoader(Flowers(64, 1), batch_size=16),
}
backbone = nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.AdaptiveAvgPool2d(3), nn.Flatten())
model = nn.Sequential(backbone, nn.Linear(72, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.3)


def evaluate(loader):
    model.eval()
    torch.set_grad_enabled(False)  # <- culprit
    right = total = 0
    for x, y in loader:
        right += (model(x).argmax(1) == y).sum().item()
        total += len(y)
    return right / total


def train_model(num_epochs=10):
    best_acc, since = 0.0, time.time()
    for epoch in range(num_epochs):
        model.train()
        tot = 0.0
        for x, y in loaders["train"]:
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
            tot += loss.item() * len(y)
        scheduler.step()
        acc = evaluate(loaders["val"])
        best_acc = max(best_acc, acc)
        print(f"Epoch {epoch} loss {tot / 320:.4f} val acc {acc:.4f} ({time.time() - since:.1f}s)")
    return best_acc


train_model()
