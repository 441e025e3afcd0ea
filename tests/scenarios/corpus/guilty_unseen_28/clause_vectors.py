# gradwatch-corpus: kind=graph-chain
# holder: total_loss
# first-bad: 1
# after: Q&A "skip-gram from scratch: loss += ... then loss.backward(retain_graph=True) gets slower every batch"
#
# clause_vectors.ipynb -> .py : word vectors for contract clauses, negative sampling.
# %% imports
import collections
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

random.seed(3)
torch.manual_seed(3)

# %% a synthetic corpus: each "topic" of contract language has its own words
N_TOPICS, WORDS_PER_TOPIC, COMMON = 12, 60, 80
vocab = ["the%d" % i for i in range(COMMON)]
topic_words = []
for t in range(N_TOPICS):
    ws = ["t%d_w%d" % (t, i) for i in range(WORDS_PER_TOPIC)]
    topic_words.append(ws)
    vocab += ws
word2idx = {w: i for i, w in enumerate(vocab)}


def make_clause():
    t = random.randrange(N_TOPICS)
    n = random.randint(12, 20)
    return [random.choice(topic_words[t]) if random.random() < 0.6 else vocab[random.randrange(COMMON)]
            for _ in range(n)]


corpus = [make_clause() for _ in range(900)]
freq = collections.Counter(w for c in corpus for w in c)
noise = torch.tensor([max(freq[w], 1) ** 0.75 for w in vocab])
noise = noise / noise.sum()

# %% (center, context) pairs
WINDOW = 2
pairs = []
for clause in corpus:
    ids = [word2idx[w] for w in clause]
    for i, c in enumerate(ids):
        for j in range(max(0, i - WINDOW), min(len(ids), i + WINDOW + 1)):
            if j != i:
                pairs.append((c, ids[j]))
random.shuffle(pairs)
pairs = torch.tensor(pairs)
print("vocab", len(vocab), "pairs", len(pairs))


# %% model
class SkipGram(nn.Module):
    def __init__(self, n, d):
        super(SkipGram, self).__init__()
        self.center = nn.Embedding(n, d)
        self.context = nn.Embedding(n, d)
        self.center.weight.data.uniform_(-0.5 / d, 0.5 / d)
        self.context.weight.data.zero_()

    def forward(self, c, o, neg):
        v = self.center(c)                                   # B x d
        pos = F.logsigmoid((v * self.context(o)).sum(1))
        neg = torch.bmm(self.context(neg), v.unsqueeze(2)).squeeze(2)
        return -(pos + F.logsigmoid(-neg).sum(1)).mean()


# %% training
EPOCHS, BATCH, K, DIM = 3, 512, 6, 48
model = SkipGram(len(vocab), DIM)
optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
N_BATCHES = 45

for epoch in range(EPOCHS):
    total_loss = 0
    perm = torch.randperm(len(pairs))
    for b in range(N_BATCHES):
        idx = perm[b * BATCH:(b + 1) * BATCH]
        c, o = pairs[idx].unbind(1)
        neg = torch.multinomial(noise, len(idx) * K, replacement=True).view(len(idx), K)

        optimizer.zero_grad()
        loss = model(c, o, neg)
        total_loss = total_loss + loss  # <- culprit
        total_loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()
    print("epoch %d  mean loss %.4f" % (epoch, total_loss.item() / N_BATCHES))

# %% nearest neighbours
W = F.normalize(model.center.weight.detach(), dim=1)
for probe in ("t0_w0", "t5_w3"):
    sim = W @ W[word2idx[probe]]
    top = sim.topk(6)[1].tolist()[1:]
    print(probe, "->", ", ".join(vocab[i] for i in top))
