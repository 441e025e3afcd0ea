# gradwatch-corpus: kind=graph-held
# holder: self.history["loss"] | self.history | finder.history["loss"] | finder.history | self.best_loss
# notice: 8
import torch
import torch.nn as nn

from .data import loaders
from .finder import LRFinder


def build():
    return nn.Sequential(nn.Conv1d(1, 8, 5, 2), nn.BatchNorm1d(8), nn.ReLU(),
                         nn.Conv1d(8, 16, 5, 2), nn.ReLU(), nn.AdaptiveAvgPool1d(1), nn.Flatten(), nn.Linear(16, 4))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(77)
    train_loader, val_loader = loaders()
    model = build()
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-4, momentum=0.9)
    finder = LRFinder(model, optimizer, criterion)
    finder.range_test(train_loader, end_lr=0.5, num_iter=90)
    lr = finder.suggestion()
    print(f"suggested lr {lr:.4f}, best smoothed loss {float(finder.best_loss):.3f}")
    finder.reset()
    for group in optimizer.param_groups:
        group["lr"] = min(lr, 0.1)
    for epoch in range(2):
        model.train()
        for x, y in train_loader:
            optimizer.zero_grad()
            criterion(model(x), y).backward()
            optimizer.step()
        model.eval()
        with torch.no_grad():
            acc = sum((model(x).argmax(1) == y).sum().item() for x, y in val_loader) / len(val_loader.dataset)
        print(f"epoch {epoch} acc {acc:.2f}")


main()
