# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from .encoder import MomentumPair
from .spectra import two_views

torch.set_num_threads(1)


def info_nce(q, k, queue, t=0.2):
    pos = (q * k).sum(1, keepdim=True)
    neg = q @ queue.clone().detach()
    return F.cross_entropy(torch.cat([pos, neg], 1) / t, torch.zeros(len(q), dtype=torch.long))


def main(steps=110):
    torch.manual_seed(70)
    pair = MomentumPair(bins=64, dim=16, queue_size=256, momentum=0.99)
    opt = torch.optim.SGD(pair.online.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    smooth = None
    for step in range(steps):
        a, b = two_views(16, 64)
        q = pair.query(a)
        k = pair.key(b)
        loss = info_nce(q, k, pair.queue)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.follow()
        pair.enqueue(k)
        smooth = loss.item() if smooth is None else 0.95 * smooth + 0.05 * loss.item()
        if step % 22 == 21:
            print(f"step {step + 1} nce {smooth:.3f} pointer {int(pair.pointer)}")


main()
