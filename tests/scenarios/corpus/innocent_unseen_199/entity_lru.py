# gradwatch-corpus: kind=none
"""Knowledge graph completion; entity encodings are shared by the queries of a step."""
from collections import OrderedDict

import torch
from torch import nn
import torch.nn.functional as F

N_ENT, N_REL, DIM = 200, 6, 32


class EncodingCache:
    def __init__(self, capacity):
        self.capacity = capacity
        self.table = OrderedDict()
        self.hits = self.misses = 0

    def fetch(self, key, make):
        if key in self.table:
            self.table.move_to_end(key)
            self.hits += 1
            return self.table[key]
        self.misses += 1
        value = self.table[key] = make(key)
        if len(self.table) > self.capacity:
            self.table.popitem(last=False)
        return value

    def invalidate(self, *_):
        self.table.clear()


class Scorer(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.register_buffer("features", features)
        self.encoder = nn.Sequential(nn.Linear(features.shape[1], DIM), nn.GELU(), nn.Linear(DIM, DIM))
        self.relation = nn.Parameter(torch.randn(N_REL, DIM) * 0.2)
        self.cache = EncodingCache(40)

    def entity(self, idx):
        return self.cache.fetch(idx, lambda k: self.encoder(self.features[k]))

    def forward(self, heads, rels, tails):
        h = torch.stack([self.entity(i) for i in heads])
        t = torch.stack([self.entity(i) for i in tails])
        return (h * self.relation[rels] * t).sum(-1)


def main():
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(9)
    features = torch.randn(N_ENT, 12, generator=gen)
    truth = torch.randn(N_REL, 12, generator=gen)
    model = Scorer(features)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    opt.register_step_post_hook(model.cache.invalidate)
    weights = 1.0 / torch.arange(1, N_ENT + 1).float()
    log = []
    for it in range(420):
        loss = 0.0
        opt.zero_grad()
        for _ in range(3):
            heads = torch.multinomial(weights, 8, generator=gen)
            tails = torch.multinomial(weights, 8, generator=gen)
            rels = torch.randint(N_REL, (8,), generator=gen)
            label = ((features[heads] * truth[rels] * features[tails]).sum(-1) > 0).float()
            scores = model(heads.tolist(), rels, tails.tolist())
            loss = loss + F.binary_cross_entropy_with_logits(scores, label)
        loss.backward()
        opt.step()
        log.append({"loss": loss.detach(), "hits": model.cache.hits, "misses": model.cache.misses})
        if it % 70 == 69:
            recent = torch.stack([row["loss"] for row in log[-70:]]).mean()
            print(it + 1, f"{recent.item():.3f}", log[-1]["hits"], log[-1]["misses"])


main()
