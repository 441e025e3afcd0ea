# gradwatch-corpus: kind=graph-held
# holder: window | seen | losses
# about: training as a generator; its own frame keeps every loss it ever yielded
import torch
from torch import nn


def training(model, data, lr=1e-2):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    window = []
    for x, y in data:
        loss = nn.functional.huber_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        window.append(loss)  # <- culprit
        yield sum(w.item() for w in window[-5:]) / len(window[-5:])


def batches(n):
    for _ in range(n):
        x = torch.randn(12, 3)
        yield x, x.abs().max(dim=1, keepdim=True).values


def main():
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 24), nn.ELU(), nn.Linear(24, 1))
    for step, smooth in enumerate(training(model, batches(60))):
        if step % 20 == 0:
            print(f"{step:3d} {smooth:.4f}")


if __name__ == "__main__":
    main()
