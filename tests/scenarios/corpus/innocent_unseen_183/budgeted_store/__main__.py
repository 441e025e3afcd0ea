# gradwatch-corpus: kind=none
"""Point cloud classification; point features stay in a store with an element budget."""
import torch
import torch.nn.functional as F

from .nets import PointEncoder, clouds
from .store import Budget, FeatureStore


def main(steps=420, budget_elements=150_000):
    torch.manual_seed(33)
    gen = torch.Generator().manual_seed(33)
    net = PointEncoder()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    store = FeatureStore(Budget(budget_elements))
    hits = 0
    for step in range(steps):
        pts, kind = clouds(gen)
        feats, logits = net(pts)
        loss = F.cross_entropy(logits, kind) + 1e-4 * feats.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        store.save(f"batch{step:05d}", feats)
        hits += (logits.argmax(1) == kind).sum().item()
        if (step + 1) % 70 == 0:
            norms = store.norms()
            print(f"{step + 1} acc {hits / (6 * 70):.3f} kept {len(norms)} mean norm {sum(norms) / len(norms):.2f}")
            hits = 0


if __name__ == "__main__":
    main()
