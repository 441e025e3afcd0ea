# gradwatch-corpus: kind=none
# about: BitFit: only the biases of a frozen network are trained, with two micro-batches to a
# about: step. The first layer's node then saves nothing for backward, freed or not
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS


def backbone():
    return nn.Sequential(
        nn.Linear(16, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4)
    )


def freeze_all_but_biases(model):
    for name, p in model.named_parameters():
        p.requires_grad_(name.endswith("bias"))
    return [p for p in model.parameters() if p.requires_grad]


def pretrain(model, stream, steps=20):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for _ in range(steps):
        x, y = next(stream)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(x), y).backward()
        optimizer.step()


def tune(model, stream, steps):
    trained = freeze_all_but_biases(model)
    print(f"{sum(p.numel() for p in trained)} trained numbers")
    optimizer = torch.optim.Adam(trained, lr=1e-2)
    for step in range(steps):
        for _ in range(2):
            x, y = next(stream)
            loss = nn.functional.cross_entropy(model(x), y) / 2
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        if step % 50 == 0:
            print(f"step {step}: {loss.item():.6f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    model = backbone()
    pretrain(model, batches(*classes(seed=0), size=32))
    tune(model, batches(*classes(seed=1), size=16), ITERATIONS)
