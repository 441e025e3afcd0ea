# gradwatch-corpus: kind=none
# about: two models trained in two threads at once, one with an optimizer, one by hand; at the
# about: end the process must be as it was: anomaly detection off, gradients on
import threading

import torch
import torch.nn as nn
from parts.blobs import batches, classes, line
from parts.pace import ITERATIONS


def train_classifier(results):
    g = torch.Generator().manual_seed(1)
    model = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4))
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.randn(p.shape, generator=g) / 8)
    stream = batches(*classes(), size=32)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(ITERATIONS):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    results["classifier"] = loss.item()


def train_regressor(results):
    g = torch.Generator().manual_seed(2)
    w = (torch.randn(8, 16, generator=g) / 3).requires_grad_()
    v = (torch.randn(16, 1, generator=g) / 4).requires_grad_()
    stream = batches(*line(), size=32)
    for _ in range(ITERATIONS):
        x, y = next(stream)
        loss = ((torch.tanh(x @ w) @ v - y) ** 2).mean()
        gw, gv = torch.autograd.grad(loss, (w, v))
        with torch.no_grad():
            w -= 0.05 * gw
            v -= 0.05 * gv
    results["regressor"] = loss.item()


def main():
    results = {}
    threads = [
        threading.Thread(target=work, args=(results,), name=work.__name__)
        for work in (train_classifier, train_regressor)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for name in sorted(results):
        print(f"{name}: {results[name]:.6f}")
    print("anomaly", torch.is_anomaly_enabled(), "grad", torch.is_grad_enabled())


if __name__ == "__main__":
    main()
