# gradwatch-corpus: kind=none
# about: gradient accumulation over four micro-batches; zero_grad stands under an `if`
import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS
from torch.utils.data import DataLoader, TensorDataset

ACCUMULATE = 4


def build():
    return nn.Sequential(nn.Linear(16, 64), nn.ReLU(), nn.Dropout(0.1), nn.Linear(64, 4))


def main():
    torch.manual_seed(0)
    loader = DataLoader(TensorDataset(*classes(640)), batch_size=16, shuffle=True)
    model = build()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=20, gamma=0.8)
    criterion = nn.CrossEntropyLoss()
    seen, updates = 0, 0
    while updates < ITERATIONS:
        running = 0.0
        for i, (x, y) in enumerate(loader):
            loss = criterion(model(x), y) / ACCUMULATE
            loss.backward()
            running += loss.item()
            seen += 1
            if (i + 1) % ACCUMULATE == 0:
                optimizer.step()
                optimizer.zero_grad()
                updates += 1
        scheduler.step()
        print(f"{updates} updates, {seen} batches: {running / len(loader):.6f}")


if __name__ == "__main__":
    main()
