# gradwatch-corpus: kind=second-backward
# holder: self._cache | self.docs._cache | retriever._cache | retriever.docs._cache | index._cache | model.docs._cache
# first-bad: 4
"""Dense retrieval with a two-tower encoder, in-batch negatives and a small document embedding cache."""
import torch
import torch.nn as nn
import torch.nn.functional as F

VOCAB, DOCS, DIM = 300, 400, 48


class Corpus:
    def __init__(self, seed=1):
        g = torch.Generator().manual_seed(seed)
        topics = torch.randint(0, VOCAB, (40, 20), generator=g)
        owner = torch.randint(0, 40, (DOCS,), generator=g)
        pick = torch.randint(0, 20, (DOCS, 16), generator=g)
        self.docs = topics[owner].gather(1, pick)
        self.g = g

    def queries(self, ids):
        pick = torch.randint(0, 16, (len(ids), 5), generator=self.g)
        return self.docs[ids].gather(1, pick)


class BagEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.EmbeddingBag(VOCAB, DIM, mode="mean")
        self.mlp = nn.Sequential(nn.Linear(DIM, DIM), nn.GELU(), nn.Linear(DIM, DIM))

    def forward(self, tokens):
        return F.normalize(self.mlp(self.emb(tokens)), dim=-1)


class DocIndex:
    def __init__(self, encoder, corpus):
        self.encoder = encoder
        self.corpus = corpus
        self._cache = {}

    def lookup(self, ids):
        missing = [i for i in ids if i not in self._cache]
        if missing:
            fresh = self.encoder(self.corpus.docs[missing])
            self._cache.update(zip(missing, fresh))  # <- culprit
        return torch.stack([self._cache[i] for i in ids])  # <- culprit

    def refresh(self):
        self._cache.clear()


class Retriever(nn.Module):
    def __init__(self, corpus):
        super().__init__()
        self.q_enc = BagEncoder()
        self.d_enc = BagEncoder()
        self.docs = DocIndex(self.d_enc, corpus)
        self.log_tau = nn.Parameter(torch.tensor(2.5))

    def forward(self, queries, doc_ids):
        q = self.q_enc(queries)
        d = self.docs.lookup(doc_ids)
        return q @ d.t() * self.log_tau.exp().clamp(max=50)


class MetricStore:
    def __init__(self):
        self.values = {}

    def add(self, **kw):
        for k, v in kw.items():
            self.values.setdefault(k, []).append(float(v))

    def mean(self, k, last=10):
        return sum(self.values[k][-last:]) / len(self.values[k][-last:])


def main():
    torch.manual_seed(2)
    corpus = Corpus()
    model = Retriever(corpus)
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    store = MetricStore()
    sampler = torch.Generator().manual_seed(77)
    for epoch in range(3):
        model.docs.refresh()
        for _ in range(40):
            ids = torch.randperm(DOCS, generator=sampler)[:12].tolist()
            logits = model(corpus.queries(ids), ids)
            loss = F.cross_entropy(logits, torch.arange(len(ids)))
            opt.zero_grad()
            loss.backward()
            opt.step()
            hit = (logits.detach().argmax(1) == torch.arange(len(ids))).float().mean()
            store.add(loss=loss.item(), hit=hit)
        print(f"epoch {epoch} loss {store.mean('loss'):.3f} hit@1 {store.mean('hit'):.3f}")


if __name__ == "__main__":
    main()
