# gradwatch-corpus: kind=graph-held
# holder: self.bank | model.bank | self.model.bank | net.bank
# first-bad: 1
"""Text-to-product matching with a queue of recent product embeddings as negatives."""
import argparse
import random
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn


class MemoryBankBase(nn.Module):
    def __init__(self, dim, slots):
        super().__init__()
        self.dim = dim
        self.bank = deque(maxlen=slots)

    def _enqueue(self, keys):
        self.bank.append(keys)  # <- culprit

    def negatives(self):
        if not self.bank:
            return torch.empty(0, self.dim)
        return torch.cat(list(self.bank)).detach()

    def contrast(self, query, key, tau):
        own = query @ key.t()
        old = query @ self.negatives().t()
        logits = torch.cat([own, old], dim=1) / tau
        return F.cross_entropy(logits, torch.arange(len(query)))


class ProductMatcher(MemoryBankBase):
    def __init__(self, vocab, n_attrs, dim=32, slots=48):
        super().__init__(dim, slots)
        self.words = nn.EmbeddingBag(vocab, dim)
        self.product = nn.Sequential(nn.Linear(n_attrs, 64), nn.ReLU(), nn.Linear(64, dim))

    def encode_query(self, tokens):
        return F.normalize(self.words(tokens), dim=1)

    def encode_product(self, attrs):
        return F.normalize(self.product(attrs), dim=1)

    def forward(self, tokens, attrs, tau=0.1):
        q, k = self.encode_query(tokens), self.encode_product(attrs)
        loss = self.contrast(q, k, tau)
        if self.training:
            self._enqueue(k)  # <- culprit
        return loss


class Catalogue:
    def __init__(self, n_products=400, n_attrs=10, vocab=120, query_len=5):
        self.attrs = torch.randn(n_products, n_attrs)
        scores = self.attrs @ torch.randn(n_attrs, vocab)
        self.related = scores.topk(20, dim=1).indices
        self.query_len = query_len

    def sample(self, n):
        ids = torch.tensor(random.sample(range(len(self.attrs)), n))
        cols = torch.randint(0, self.related.size(1), (n, self.query_len))
        return self.related[ids].gather(1, cols), self.attrs[ids]


@torch.no_grad()
def recall_at_1(net, catalogue, n=100):
    net.eval()
    tokens, attrs = catalogue.sample(n)
    hit = (net.encode_query(tokens) @ net.encode_product(attrs).t()).argmax(1) == torch.arange(n)
    net.train()
    return hit.float().mean().item()


def run(args):
    torch.manual_seed(args.seed)
    random.seed(args.seed)
    shop = Catalogue()
    net = ProductMatcher(vocab=120, n_attrs=10, slots=args.slots)
    opt = torch.optim.Adam(net.parameters(), lr=args.lr)
    for it in range(args.iters):
        loss = net(*shop.sample(args.batch))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if it % 30 == 29:
            print(f"[{it + 1}/{args.iters}] nce {loss.item():.3f}  r@1 {recall_at_1(net, shop):.2f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--iters", type=int, default=120)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--slots", type=int, default=48)
    parser.add_argument("--lr", type=float, default=5e-3)
    parser.add_argument("--seed", type=int, default=9)
    run(parser.parse_args())
