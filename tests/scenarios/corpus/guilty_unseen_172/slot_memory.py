# gradwatch-corpus: kind=inplace-modified
# first-bad: 12
"""Novelty-gated slot memory for sequence tagging: the controller reads by content, and tokens that
are unlike anything stored replace the least used slot."""
import torch
from torch import nn
from torch.nn import functional as F


class SlotMemory(nn.Module):
    def __init__(self, slots, dim, threshold, warmup):
        super().__init__()
        self.register_buffer("store", F.normalize(torch.randn(slots, dim), dim=1))
        self.register_buffer("usage", torch.zeros(slots))
        self.threshold, self.warmup = threshold, warmup
        self.calls = 0

    def read(self, query):
        sim = F.normalize(query, dim=1) @ self.store.T
        weight = F.softmax(8 * sim, dim=1)
        self.usage = 0.95 * self.usage + weight.detach().sum(0)
        return weight @ self.store, sim

    @torch.no_grad()
    def write(self, key, sim):
        self.calls += 1
        if self.calls <= self.warmup:
            return 0
        best = sim.max(1).values
        novel = (best < self.threshold).nonzero().flatten()[:4]
        if len(novel):
            slots = self.usage.topk(len(novel), largest=False).indices
            self.store[slots] = F.normalize(key[novel], dim=1)  # <- culprit
            self.usage[slots] = self.usage.mean()
        return len(novel)


class Tagger(nn.Module):
    def __init__(self, vocab, dim, tags, **memory):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.ctrl = nn.GRU(dim, dim, batch_first=True)
        self.memory = SlotMemory(dim=dim, **memory)
        self.out = nn.Linear(2 * dim, tags)
        self.written = 0

    def forward(self, tokens):
        h, _ = self.ctrl(self.emb(tokens))
        flat = h.flatten(0, 1)
        found, sim = self.memory.read(flat)
        if self.training:
            self.written += self.memory.write(flat, sim)
        return self.out(torch.cat([flat, found], 1)).view(*tokens.shape, -1)


class Corpus:
    def __init__(self, vocab, tags, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.vocab = vocab
        self.tag_of = torch.randint(0, tags, (vocab,), generator=self.g)

    def batch(self, n=8, length=12):
        x = torch.randint(0, self.vocab, (n, length), generator=self.g)
        y = self.tag_of[x]
        y[:, 1:] = (y[:, 1:] + (x[:, :-1] % 2)) % 5
        return x, y


@torch.no_grad()
def accuracy(model, corpus):
    model.eval()
    x, y = corpus.batch(32)
    acc = (model(x).argmax(-1) == y).float().mean().item()
    model.train()
    return acc


def main(steps=600):
    torch.manual_seed(41)
    corpus = Corpus(60, 5, 2)
    model = Tagger(60, 24, 5, slots=20, threshold=0.75, warmup=12)
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    for s in range(steps):
        x, y = corpus.batch()
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        opt.zero_grad()
        loss.backward()
        opt.step()
        if s % 50 == 0:
            print(f"{s} loss {loss.item():.3f} acc {accuracy(model, corpus):.3f} written {model.written}")


if __name__ == "__main__":
    main()
