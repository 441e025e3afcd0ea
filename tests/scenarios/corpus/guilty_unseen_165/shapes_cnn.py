# gradwatch-corpus: kind=graph-held
# holder: epoch_loss
# first-bad: 1
# notice: 8
import tempfile
from pathlib import Path

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.set_num_threads(1)
torch.manual_seed(11)


def make_images(n=400):
    y = torch.randint(0, 3, (n,))
    x = torch.randn(n, 1, 12, 12) * 0.3
    for i, c in enumerate(y.tolist()):
        if c == 0:
            x[i, 0, 2:10, 5:7] += 1.0
        elif c == 1:
            x[i, 0, 5:7, 2:10] += 1.0
        else:
            x[i, 0, 3:9, 3:9] += 0.6
    return TensorDataset(x, y)


class ShapeNet(nn.Module):
    def __init__(self, classes=3):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(8)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 9, classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


def train_one_epoch(model, loader, optimizer, criterion):
    model.train()
    epoch_loss = 0.0
    seen = 0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        epoch_loss += loss * images.size(0)  # <- culprit
        seen += images.size(0)
    return epoch_loss / seen


@torch.no_grad()
def evaluate(model, loader, criterion):
    model.eval()
    total, hits, n = 0.0, 0, 0
    for images, labels in loader:
        out = model(images)
        total += criterion(out, labels).item() * len(labels)
        hits += (out.argmax(1) == labels).sum().item()
        n += len(labels)
    return total / n, hits / n


def main():
    train_ds, val_ds = random_split(make_images(), [320, 80])
    train_loader = DataLoader(train_ds, batch_size=16, shuffle=True)
    val_loader = DataLoader(val_ds, batch_size=40)
    model = ShapeNet()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
    best = 0.0
    with tempfile.TemporaryDirectory() as tmp:
        path = Path(tmp) / "best.pt"
        for epoch in range(5):
            train_loss = train_one_epoch(model, train_loader, optimizer, criterion)
            val_loss, val_acc = evaluate(model, val_loader, criterion)
            scheduler.step()
            if val_acc >= best:
                best = val_acc
                torch.save(model.state_dict(), path)
            print(f"epoch {epoch} train {train_loss:.4f} val {val_loss:.4f} acc {val_acc:.3f}")


if __name__ == "__main__":
    main()
