# gradwatch-corpus: kind=none
# about: early stopping on a validation that builds graphs (the no_grad was forgotten, but only
# about: numbers are kept) and a test under no_grad whose outputs are gathered; best state copied
import copy
import time

import torch
import torch.nn as nn
from parts.blobs import classes
from parts.pace import ITERATIONS


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad, self.state = patience, None, 0, None

    def __call__(self, value, model):
        if self.best is None or value < self.best - 1e-5:
            self.best, self.bad = value, 0
            self.state = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def validate(model, data, criterion):
    model.eval()
    total = 0.0
    for x, y in data:
        total += criterion(model(x), y).item()
    model.train()
    return total / len(data)


@torch.no_grad()
def test(model, data):
    model.eval()
    outputs, labels = [], []
    for x, y in data:
        outputs.append(model(x))
        labels.append(y)
    model.train()
    return (torch.cat(outputs).argmax(1) == torch.cat(labels)).float().mean().item()


def split(x, y, size=32):
    return list(zip(x.split(size), y.split(size)))


def main():
    torch.manual_seed(0)
    x, y = classes(896)
    train, valid = split(x[:512], y[:512]), split(x[512:768], y[512:768])
    held = split(x[768:], y[768:])
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 4))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    stop = EarlyStopping(patience=4)
    train_losses = []
    for epoch in range(ITERATIONS // 16):
        for xb, yb in train:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            train_losses.append(loss.detach())
        value = validate(model, valid, criterion)
        mean = torch.stack(train_losses[-16:]).mean().item()
        print(f"epoch {epoch}: train {mean:.6f} valid {value:.6f} test {test(model, held):.4f}")
        time.sleep(0.02)
        if stop(value, model):
            print("stopped early")
            break
    model.load_state_dict(stop.state)


if __name__ == "__main__":
    main()
