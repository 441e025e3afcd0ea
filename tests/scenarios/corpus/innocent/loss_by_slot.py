# gradwatch-corpus: kind=none
# about: ten tasks take turns; a dict by task and a list of slots keep the last loss of each with
# about: its graph, and each expert keeps its last output: as many as there are, overwritten
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS

TASKS = 10


class Expert(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(16, 24), nn.Tanh(), nn.Linear(24, 4))
        self.last = None

    def forward(self, x):
        self.last = self.net(x)
        return self.last


def main():
    torch.manual_seed(0)
    streams = [batches(*classes(128, seed=task), size=16) for task in range(TASKS)]
    experts = nn.ModuleList(Expert() for _ in range(TASKS))
    optimizer = torch.optim.Adam(experts.parameters(), lr=1e-3)
    last, slots = {}, [None] * TASKS
    for step in range(ITERATIONS):
        task = step % TASKS
        x, y = next(streams[task])
        loss = nn.functional.cross_entropy(experts[task](x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        last[f"task{task}"] = loss
        slots[task] = loss
        if step % 50 == 49:
            worst = max(slots, key=lambda each: each.item())
            print(f"{step}: {worst.item():.6f} of {len(last)}")


if __name__ == "__main__":
    main()
