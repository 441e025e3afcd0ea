# gradwatch-corpus: kind=inplace-modified
# holder: maps | out | attn | loss | logits
# first-bad: 10
# notice: 0
import torch
import torch.nn.functional as F

from model import SetClassifier
from viz import AttentionSnapshots

torch.set_num_threads(1)
torch.manual_seed(21)


def sets(n, items=9, d=6):
    """Label says whether the largest first coordinate sits on an item with a positive last coordinate."""
    x = torch.randn(n, items, d)
    top = x[..., 0].argmax(1)
    y = (x[torch.arange(n), top, -1] > 0).long()
    return x, y


def train(steps=90, batch=32, snap_every=10):
    model = SetClassifier()
    snaps = AttentionSnapshots(model, every=snap_every)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    ema = None
    for step in range(steps):
        x, y = sets(batch)
        snaps.step = step
        logits = model(x)
        loss = F.cross_entropy(logits, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema = loss.item() if ema is None else 0.95 * ema + 0.05 * loss.item()
        if step % 15 == 0:
            print(f"step {step:3d} loss {ema:.3f}")
    snaps.close()
    print("snapshots:", len(snaps.frames))


if __name__ == "__main__":
    train()
