# gradwatch-corpus: kind=memory-climb
# holder: self.snapshots | logger.snapshots
import time

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(41)


class WeightLogger:
    def __init__(self, model):
        self.model = model
        self.snapshots = []
        self.started = time.time()

    def __call__(self, step, loss):
        weights = {name: p.detach().cpu().numpy().copy() for name, p in self.model.named_parameters()}
        self.snapshots.append({"step": step, "t": time.time() - self.started, "loss": loss, "weights": weights})  # <- culprit

    def drift(self):
        if len(self.snapshots) < 2:
            return 0.0
        a, b = self.snapshots[-2]["weights"], self.snapshots[-1]["weights"]
        return float(np.sqrt(sum(((a[k] - b[k]) ** 2).sum() for k in a)))


class DigitMLP(nn.Module):
    def __init__(self, dim=256, hidden=384, classes=10):
        super().__init__()
        self.fc1 = nn.Linear(dim, hidden)
        self.fc2 = nn.Linear(hidden, 128)
        self.fc3 = nn.Linear(128, classes)

    def forward(self, x):
        x = torch.relu(self.fc1(x.flatten(1)))
        return self.fc3(torch.relu(self.fc2(x)))


def digits(n=960):
    protos = torch.randn(10, 16, 16)
    y = torch.randint(0, 10, (n,))
    return TensorDataset(protos[y] + 0.8 * torch.randn(n, 16, 16), y)


def train(model, loader, epochs, hooks):
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    crit = nn.CrossEntropyLoss()
    step = 0
    for epoch in range(epochs):
        correct = 0
        for x, y in loader:
            opt.zero_grad(set_to_none=True)
            out = model(x)
            loss = crit(out, y)
            loss.backward()
            opt.step()
            correct += (out.argmax(1) == y).sum().item()
            for hook in hooks:
                hook(step, loss.item())
            step += 1
        yield epoch, correct / len(loader.dataset)


def main():
    model = DigitMLP()
    logger = WeightLogger(model)
    loader = DataLoader(digits(), batch_size=32, shuffle=True)
    for epoch, acc in train(model, loader, 6, [logger]):
        print(f"epoch {epoch} acc {acc:.3f} drift {logger.drift():.4f}")


if __name__ == "__main__":
    main()
