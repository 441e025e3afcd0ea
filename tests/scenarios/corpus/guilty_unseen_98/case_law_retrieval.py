# gradwatch-corpus: kind=second-backward
# holder: encoded[doc_id] | encoded
# first-bad: 60
# notice: 0
"""
Retrieval for legal decisions: train a query tower and a document tower.

Documents are long, so encoding them is the slow part; the towers share the
word embedding.  I only have 60 decisions at the moment.
"""
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(42)
random.seed(42)

VOCAB, DIM, N_DOCS = 300, 24, 60
DOC_LEN, QUERY_LEN = 80, 6

docs = [torch.randint(0, VOCAB, (DOC_LEN,)) for _ in range(N_DOCS)]


def make_query(doc_id):
    words = docs[doc_id]
    return words[torch.randperm(len(words))[:QUERY_LEN]]


class Towers(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(VOCAB, DIM)
        self.att = nn.Linear(DIM, 1)
        self.doc_proj = nn.Linear(DIM, DIM)
        self.query_proj = nn.Linear(DIM, DIM)

    def encode_doc(self, tokens):
        e = self.words(tokens)
        a = F.softmax(self.att(e), dim=0)
        return torch.tanh(self.doc_proj((a * e).sum(0)))

    def encode_query(self, tokens):
        return torch.tanh(self.query_proj(self.words(tokens).mean(0)))


towers = Towers()
opt = torch.optim.Adagrad(towers.parameters(), lr=0.05)

encoded = {}


def doc_vector(doc_id):
    if doc_id not in encoded:
        encoded[doc_id] = towers.encode_doc(docs[doc_id])  # <- culprit
    return encoded[doc_id]  # <- culprit


def score_against(query, doc_id, others):
    """positive first, then the random negatives"""
    pos = (query * doc_vector(doc_id)).sum()
    with torch.no_grad():
        negs = torch.stack([towers.encode_doc(docs[j]) for j in others])
    return torch.cat([pos.view(1), negs @ query])


def one_pass(epoch):
    order = list(range(N_DOCS))
    random.shuffle(order)
    total = 0.0
    for doc_id in order:
        q = towers.encode_query(make_query(doc_id))
        others = random.sample([j for j in range(N_DOCS) if j != doc_id], 4)
        logits = score_against(q, doc_id, others)
        loss = F.cross_entropy(logits.unsqueeze(0), torch.zeros(1, dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
    return total / N_DOCS


if __name__ == "__main__":
    for epoch in range(10):
        print("epoch", epoch, "loss", round(one_pass(epoch), 4))
