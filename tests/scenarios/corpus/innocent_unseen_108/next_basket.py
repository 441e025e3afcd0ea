# gradwatch-corpus: kind=none
#
# Next-basket recommender with a GRU over past baskets; micro-batches are
# accumulated three at a time.  Rolling diagnostics live on a bounded tail.
import argparse
import collections
import functools
import logging
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

ap = argparse.ArgumentParser()
ap.add_argument("--updates", type=int, default=300)
ap.add_argument("--accumulate", type=int, default=3)
ap.add_argument("--items", type=int, default=40)
args = ap.parse_args()

torch.set_num_threads(1)
torch.manual_seed(88)

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(name)s: %(message)s")
log = logging.getLogger("basket")

HABIT = torch.rand(args.items, args.items).pow(6)


def shoppers(n, weeks=5, size=4):
    b = torch.zeros(n, weeks + 1, args.items)
    now = torch.rand(n, args.items).topk(size, 1).indices
    b[:, 0].scatter_(1, now, 1.0)
    for w in range(1, weeks + 1):
        pull = b[:, w - 1] @ HABIT + 0.3 * torch.rand(n, args.items)
        b[:, w].scatter_(1, pull.topk(size, 1).indices, 1.0)
    return b[:, :-1], b[:, -1]


class NextBasket(nn.Module):
    def __init__(self, items, dim=24):
        super().__init__()
        self.emb = nn.Parameter(torch.randn(items, dim) * 0.1)
        self.gru = nn.GRU(dim, dim, batch_first=True)
        self.bias = nn.Parameter(torch.zeros(items))

    def forward(self, baskets):
        _, h = self.gru(baskets @ self.emb)
        return h[0] @ self.emb.t() + self.bias


class Tail(collections.deque):
    """Last few micro-batch losses, as they come."""

    def median(self):
        return torch.stack(list(self)).median().item()

    def spread(self):
        return torch.stack(list(self)).std().item()


@functools.lru_cache(maxsize=8)
def coverage(scores, k):
    return scores.topk(k, 1).indices.unique().numel()


def recall(scores, target, k=4):
    hit = target.gather(1, scores.topk(k, 1).indices).sum(1)
    return (hit / target.sum(1)).mean().item()


net = NextBasket(args.items)
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, args.updates)
tail = Tail(maxlen=12)
table = collections.defaultdict(list)

for update in range(args.updates):
    opt.zero_grad(set_to_none=True)
    for micro in range(args.accumulate):
        past, nxt = shoppers(8)
        scores = net(past)
        loss = F.binary_cross_entropy_with_logits(scores, nxt)
        (loss / args.accumulate).backward()
        tail.append(loss)
        table["recall"].append(recall(scores, nxt))
        table["coverage"].append(coverage(scores, 4))
    opt.step()
    sched.step()
    table["median"].append(tail.median())
    if update % 60 == 59:
        log.info("update %d median %.4f spread %.4f recall@4 %.3f coverage %.1f", update + 1,
                 tail.median(), tail.spread(), sum(table["recall"][-40:]) / 40,
                 sum(table["coverage"][-40:]) / 40)

log.info("cache %s", coverage.cache_info())
