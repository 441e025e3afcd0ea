# gradwatch-corpus: kind=none
# about: `total_loss = total_loss + loss` over thirty-two micro-batches, then ONE backward: the
# about: graph is as large as it looks, and gone after it
import torch
import torch.nn as nn
from parts.blobs import batches, line
from parts.pace import ITERATIONS


class Ensemble(nn.Module):
    def __init__(self, n=3, dim=8):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Sequential(nn.Linear(dim, 12), nn.Tanh(), nn.Linear(12, 1)) for _ in range(n)
        )

    def forward(self, x):
        return torch.stack([m(x) for m in self.members]).mean(0)


def main():
    torch.manual_seed(0)
    stream = batches(*line(), size=8)
    model = Ensemble()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for step in range(ITERATIONS):
        total_loss = 0.0
        losses = []
        for _ in range(32 if step % 10 == 0 else 8):
            x, y = next(stream)
            loss = nn.functional.smooth_l1_loss(model(x), y)
            losses.append(loss)
            total_loss = total_loss + loss
        spread = torch.stack(losses).std()
        objective = total_loss / len(losses) + 0.01 * spread
        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}: {objective.item():.6f} of {len(losses)}")


if __name__ == "__main__":
    main()
