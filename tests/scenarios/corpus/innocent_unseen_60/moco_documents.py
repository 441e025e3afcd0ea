# gradwatch-corpus: kind=none
"""Contrastive embeddings of bag-of-words documents, with a key queue and a momentum encoder."""
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

TOPICS, VOCAB, DIM = 8, 120, 16
BATCH, QUEUE_BATCHES, STEPS = 32, 8, 220


class DocSampler:
    """Documents from a topic model; a view keeps a random part of the words."""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        logits = 2.5 * torch.randn(TOPICS, VOCAB, generator=self.g)
        self.word_probs = F.softmax(logits, dim=1)

    def documents(self, n, words=60):
        topic = torch.randint(0, TOPICS, (n,), generator=self.g)
        idx = torch.multinomial(self.word_probs[topic], words, replacement=True, generator=self.g)
        return idx, topic

    def view(self, idx, keep=0.5):
        mask = (torch.rand(idx.shape, generator=self.g) < keep).float()
        bow = torch.zeros(idx.size(0), VOCAB).scatter_add_(1, idx, mask)
        return torch.log1p(bow)


class DocEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(VOCAB, 64), nn.ReLU(), nn.Linear(64, DIM))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


class MomentumContrast(nn.Module):
    def __init__(self, momentum=0.99, temperature=0.15):
        super().__init__()
        self.query, self.key = DocEncoder(), DocEncoder()
        self.key.load_state_dict(self.query.state_dict())
        self.momentum, self.temperature = momentum, temperature
        self.queue = deque(maxlen=QUEUE_BATCHES)
        self.queue.append(F.normalize(torch.randn(BATCH, DIM), dim=1))

    def update_key_encoder(self):
        with torch.no_grad():
            for q, k in zip(self.query.parameters(), self.key.parameters()):
                k.mul_(self.momentum).add_(q, alpha=1 - self.momentum)

    def forward(self, view_a, view_b):
        q = self.query(view_a)
        with torch.no_grad():
            k = self.key(view_b)
        negatives = torch.cat(list(self.queue))
        pos = (q * k).sum(1, keepdim=True)
        logits = torch.cat([pos, q @ negatives.t()], dim=1) / self.temperature
        self.queue.append(k)
        return logits


def knn_purity(model, sampler, n=200):
    """Share of documents whose nearest neighbour has the same topic."""
    idx, topic = sampler.documents(n)
    with torch.no_grad():
        z = model.query(sampler.view(idx, keep=1.0))
    sim = z @ z.t()
    sim.fill_diagonal_(-1)
    return (topic[sim.argmax(1)] == topic).float().mean().item()


def main():
    torch.manual_seed(0)
    sampler = DocSampler(seed=4)
    model = MomentumContrast()
    opt = torch.optim.SGD(model.query.parameters(), lr=0.2, momentum=0.9)
    history = []
    for step in range(STEPS):
        idx, _ = sampler.documents(BATCH)
        logits = model(sampler.view(idx), sampler.view(idx))
        loss = F.cross_entropy(logits, torch.zeros(BATCH, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.update_key_encoder()
        history.append(loss.detach())
        if step % 40 == 0:
            recent = torch.stack(history[-40:]).mean().item()
            print(f"step {step}: loss {recent:.3f} purity {knn_purity(model, sampler):.3f}")
            history = history[-40:]


if __name__ == "__main__":
    main()
