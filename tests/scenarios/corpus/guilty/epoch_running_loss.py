# gradwatch-corpus: kind=graph-held
# holder: running_loss
# about: the epoch's report is a sum of tensors
import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.utils.data import DataLoader, TensorDataset


def train(model, device, loader, optimizer, epoch):
    model.train()
    running_loss = 0.0
    correct = 0
    for data, target in loader:
        data, target = data.to(device), target.to(device)
        optimizer.zero_grad()
        output = model(data)
        loss = nn.functional.nll_loss(output, target)
        loss.backward()
        optimizer.step()
        running_loss += loss * data.size(0)  # <- culprit
        correct += (output.argmax(1) == target).sum().item()
    n = len(loader.dataset)
    print(f"Epoch {epoch}: loss {running_loss / n:.4f} acc {correct / n:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()
    torch.manual_seed(0)
    x = torch.randn(240, 1, 8, 8)
    y = torch.randint(0, 10, (240,))
    loader = DataLoader(TensorDataset(x, y), batch_size=8, shuffle=True)
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 36, 10), nn.LogSoftmax(dim=1)
    )
    optimizer = optim.Adadelta(model.parameters(), lr=args.lr)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.7)
    for epoch in range(1, args.epochs + 1):
        train(model, torch.device("cpu"), loader, optimizer, epoch)
        scheduler.step()


if __name__ == "__main__":
    main()
