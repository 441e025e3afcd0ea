# gradwatch-corpus: kind=none
"""Query-document retrieval; encoded documents are kept in an LRU cache and serve as
extra (fixed) negatives as long as they stay there."""
import torch
import torch.nn.functional as F

from encoders import TwoTower
from lru import LRU
from wiki import Wiki

torch.set_num_threads(1)
torch.manual_seed(55)

wiki = Wiki(documents=400, topics=20)
model = TwoTower(words=wiki.vocab)
opt = torch.optim.Adam(model.parameters(), lr=4e-3)
cache = LRU(capacity=90)
rng = torch.Generator().manual_seed(1)


def train_step():
    ids = wiki.draw(6, rng)
    docs = model.document(wiki.text(ids))
    queries = model.query(wiki.ask(ids, rng))
    extra = [v for k, v in cache.peek(24) if k not in ids]
    table = torch.cat([docs, torch.stack(extra).detach()]) if extra else docs
    loss = F.cross_entropy(queries @ table.T / 0.2, torch.arange(len(ids)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    for key, row in zip(ids, docs):
        cache.put(key, row)
    return loss


def mrr():
    with torch.no_grad():
        ids = wiki.draw(50, rng)
        rows = []
        for k in ids:
            row = cache.get(k)
            rows.append(model.document(wiki.text([k]))[0] if row is None else row)
        d = torch.stack(rows)
        q = model.query(wiki.ask(ids, rng))
        better = (q @ d.T) > (q * d).sum(1, keepdim=True) + 1e-6
    return (1.0 / (1 + better.sum(1))).mean().item()


for it in range(1, 361):
    loss = train_step()
    if it % 60 == 0:
        print(f"{it} loss {loss.item():.3f} mrr {mrr():.3f} cached {len(cache)} "
              f"evicted {cache.evicted}")
