# gradwatch-corpus: kind=none
# about: torch.compile (graphs captured by AOTAutograd, run eagerly): the backward is one big
# about: node; two shapes of batch, a no_grad evaluation, and the number of compilations printed
# about: at the end
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch._dynamo.utils import counters


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.Linear(16, 32), nn.Linear(32, 4)
        self.norm = nn.LayerNorm(32)

    def forward(self, x):
        return self.b(torch.relu(self.norm(self.a(x))))


def main():
    torch.manual_seed(0)
    streams = [batches(*classes(), size=32), batches(*classes(), size=16)]
    model = Net()
    compiled = torch.compile(model, backend="aot_eager", dynamic=False)
    optimizer = torch.optim.Adam(model.parameters(), lr=2e-3)
    for step in range(ITERATIONS):
        x, y = next(streams[step % 2])
        loss = nn.functional.cross_entropy(compiled(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            with torch.no_grad():
                right = (compiled(x).argmax(1) == y).float().mean().item()
            print(f"{step}: {loss.item():.5f} right {right:.4f}")
    print("graphs", counters["stats"]["unique_graphs"])


if __name__ == "__main__":
    main()
