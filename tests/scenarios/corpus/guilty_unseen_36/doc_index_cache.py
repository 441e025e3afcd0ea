# gradwatch-corpus: kind=memory-climb
# holder: self.store | cache.store | self.store[version] | cache.store[step]
# first-bad: 1
# notice: 100
"""Dense retrieval: hard negatives are mined from an index of encoded passages."""
import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

N_DOCS, FEAT, DIM = 900, 32, 96


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(FEAT, 64), nn.ReLU(), nn.Linear(64, DIM))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


class IndexCache:
    """Encodes the corpus once for each version of the weights."""

    def __init__(self, encoder, docs):
        self.encoder, self.docs = encoder, docs
        self.store = {}

    def get(self, version):
        if version not in self.store:
            with torch.no_grad():
                self.store[version] = self.encoder(self.docs)  # <- culprit
        return self.store[version]


def mine(index, q, gold, k):
    sims = q.detach() @ index.t()
    sims.scatter_(1, gold[:, None], -2.0)
    return sims.topk(k, 1).indices


def train(steps=170, batch=16, k=4):
    gen = torch.Generator().manual_seed(2)
    docs = torch.randn(N_DOCS, FEAT, generator=gen)
    enc = Encoder()
    cache = IndexCache(enc, docs)
    opt = torch.optim.Adam(enc.parameters(), lr=2e-3)
    for step in range(steps):
        gold = torch.randint(0, N_DOCS, (batch,), generator=gen)
        q = enc(docs[gold] + 0.8 * torch.randn(batch, FEAT, generator=gen))
        hard = mine(cache.get(step), q, gold, k)
        cand = enc(docs[torch.cat([gold[:, None], hard], 1)])
        logits = torch.einsum("bd,bkd->bk", q, cand) / 0.07
        loss = F.cross_entropy(logits, torch.zeros(batch, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 34 == 0:
            hit = (logits.argmax(1) == 0).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.3f} beats hard negatives {hit:.2f}")


if __name__ == "__main__":
    torch.manual_seed(2)
    train()
