# gradwatch-corpus: kind=none
import torch
import torch.nn.functional as F

from augment import two_views, waves
from bank import KeyQueue, Pair


def contrast(q, k, queue, tau=0.2):
    pos = (q * k).sum(1, keepdim=True)
    logits = torch.cat([pos, q @ queue.keys().t()], 1) / tau
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), logits


def train(iters=430, batch=24):
    torch.manual_seed(26)
    g = torch.Generator().manual_seed(26)
    pair = Pair(length=32, dim=12)
    queue = KeyQueue(dim=12, batches=10, batch=batch)
    opt = torch.optim.SGD(pair.online.parameters(), lr=0.05, momentum=0.9)
    hits = []
    for it in range(iters):
        a, b = two_views(waves(batch, 32, g), g)
        q, k = pair(a, b)
        loss, logits = contrast(q, k, queue)
        opt.zero_grad()
        loss.backward()
        opt.step()
        pair.momentum_update()
        queue.enqueue(k)
        hits.append((logits.argmax(1) == 0).float().mean())
        if it % 60 == 0:
            print(f"{it} loss {loss.item():.4f} top1 {torch.stack(hits).mean():.3f} bank {len(queue)}")
            hits = []


if __name__ == "__main__":
    train()
