# gradwatch-corpus: kind=none
"""MoCo-style pretraining of product photos (feature vectors here)."""
import torch

from momentum import MomentumPair
from objective import QueueContrast
from photos import two_views


def run(steps=350):
    torch.manual_seed(55)
    torch.set_num_threads(1)
    pair = MomentumPair(dim_in=32, dim_out=16, m=0.98)
    criterion = QueueContrast(size=96, dim=16, temperature=0.2)
    opt = torch.optim.SGD(pair.query.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    avg = None
    for it in range(steps):
        a, b = two_views(12, 32)
        q = pair.encode_query(a)
        k = pair.encode_key(b)
        loss, top1 = criterion(q, k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.follow()
        avg = loss.detach() if avg is None else torch.lerp(avg, loss.detach(), 0.05)
        if it % 50 == 0:
            print(f"it {it:3d}  loss {avg.item():.3f}  top1 {top1:.2f}")


if __name__ == "__main__":
    run()
