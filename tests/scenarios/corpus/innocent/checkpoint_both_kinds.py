# gradwatch-corpus: kind=none
# about: activation checkpointing, reentrant (a backward inside the backward) and not (saved-
# about: tensor hooks that recompute), in one network; with dropout, so the random state is
# about: replayed
import torch
import torch.nn as nn
from parts.blobs import batches, classes
from parts.pace import ITERATIONS
from torch.utils.checkpoint import checkpoint, checkpoint_sequential


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.up, self.down = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        return x + self.drop(self.down(torch.relu(self.up(self.norm(x)))))


class DeepNet(nn.Module):
    def __init__(self, dim=16, depth=6):
        super().__init__()
        self.stem = nn.Linear(16, dim)
        self.blocks = nn.ModuleList(Block(dim) for _ in range(depth))
        self.tail = nn.Sequential(*(Block(dim) for _ in range(4)))
        self.head = nn.Linear(dim, 4)

    def forward(self, x):
        x = self.stem(x)
        for i, block in enumerate(self.blocks):
            x = checkpoint(block, x, use_reentrant=i % 2 == 0)
        x = checkpoint_sequential(self.tail, 2, x, use_reentrant=False)
        return self.head(x)


if __name__ == "__main__":
    torch.manual_seed(0)
    stream, model = batches(*classes(), size=16), DeepNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for step in range(ITERATIONS // 2):
        x, y = next(stream)
        loss = nn.functional.cross_entropy(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 25 == 0:
            print(f"{step}: {loss.item():.6f}")
