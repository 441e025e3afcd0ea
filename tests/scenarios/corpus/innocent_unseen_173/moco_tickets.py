# gradwatch-corpus: kind=none
"""Momentum-contrast pretraining on synthetic support tickets (bags of words) with a queue of negatives."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class TicketCorpus:
    def __init__(self, seed, topics=15, words=120, length=30):
        self.gen = torch.Generator().manual_seed(seed)
        self.topic_words = torch.softmax(2.5 * torch.randn(topics, words, generator=self.gen), dim=1)
        self.length = length

    def two_halves(self, n):
        topic = torch.randint(len(self.topic_words), (n,), generator=self.gen)
        ids = torch.multinomial(self.topic_words[topic], 2 * self.length, replacement=True, generator=self.gen)
        return ids[:, :self.length], ids[:, self.length:], topic


class BagEncoder(nn.Module):
    def __init__(self, words, dim=32):
        super().__init__()
        self.emb = nn.EmbeddingBag(words, 48)
        self.mlp = nn.Sequential(nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, dim))

    def forward(self, ids):
        return F.normalize(self.mlp(self.emb(ids)), dim=1)


class MoCo(nn.Module):
    def __init__(self, words, dim=32, size=512, momentum=0.99, temp=0.15):
        super().__init__()
        self.query = BagEncoder(words, dim)
        self.key = copy.deepcopy(self.query).requires_grad_(False)
        self.register_buffer("queue", F.normalize(torch.randn(dim, size), dim=0))
        self.ptr = 0
        self.momentum, self.temp = momentum, temp
        self.last_keys = None

    @torch.no_grad()
    def _follow(self):
        for k, q in zip(self.key.parameters(), self.query.parameters()):
            k.lerp_(q, 1 - self.momentum)

    @torch.no_grad()
    def _enqueue(self, keys):
        n = keys.shape[0]
        self.queue[:, self.ptr:self.ptr + n] = keys.t()
        self.ptr = (self.ptr + n) % self.queue.shape[1]

    def forward(self, a, b):
        q = self.query(a)
        self._follow()
        with torch.no_grad():
            k = self.key(b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.clone()
        self._enqueue(k)
        self.last_keys = k
        logits = torch.cat([pos, neg], dim=1) / self.temp
        return logits


@torch.no_grad()
def neighbour_accuracy(encoder, corpus):
    a, _, topic = corpus.two_halves(150)
    z = encoder(a)
    sim = z @ z.t()
    sim.fill_diagonal_(-2)
    return (topic[sim.argmax(1)] == topic).float().mean().item()


def main(steps=2200, batch=32):
    torch.manual_seed(40)
    corpus = TicketCorpus(seed=41)
    model = MoCo(120)
    opt = torch.optim.Adam(model.query.parameters(), lr=2e-3)
    history = []
    for step in range(steps):
        a, b, _ = corpus.two_halves(batch)
        logits = model(a, b)
        loss = F.cross_entropy(logits, torch.zeros(batch, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        history.append(loss.item())
        if step % 200 == 0:
            recent = history[-50:]
            print(f"step {step:5d} nce {sum(recent) / len(recent):.3f} 1-nn {neighbour_accuracy(model.query, corpus):.3f}")


if __name__ == "__main__":
    main()
