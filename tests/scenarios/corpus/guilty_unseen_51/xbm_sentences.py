# gradwatch-corpus: kind=graph-held
# holder: self.bank | memory.bank | self.memory.bank | learner.memory.bank
# first-bad: 1
# Contrastive sentence embeddings with a cross-batch memory of recent views.
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

N_WORDS = 300
WIDTH = 48
BANK_BATCHES = 24
TEMP = 0.1


class BagEncoder(nn.Module):
    """mean-pooled self-attention over word vectors, then a projection head"""

    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(N_WORDS, WIDTH)
        self.attn = nn.MultiheadAttention(WIDTH, 4, batch_first=True)
        self.norm = nn.LayerNorm(WIDTH)
        self.project = nn.Sequential(nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, 32))

    def forward(self, sent):
        w = self.words(sent)
        mixed, _ = self.attn(w, w, w, need_weights=False)
        return F.normalize(self.project(self.norm(w + mixed).mean(1)), dim=-1)


class CrossBatchMemory:
    def __init__(self, n_batches):
        self.bank = deque(maxlen=n_batches)

    def push(self, views):
        self.bank.append(views)  # <- culprit

    def negatives(self):
        if not self.bank:
            return None
        return torch.cat(list(self.bank)).detach()

    def __len__(self):
        return sum(v.shape[0] for v in self.bank)


class Learner:
    def __init__(self, encoder, lr):
        self.encoder = encoder
        self.memory = CrossBatchMemory(BANK_BATCHES)
        self.opt = torch.optim.Adam(encoder.parameters(), lr=lr)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, T_max=140)

    def loss(self, za, zb):
        logits = za @ zb.t()
        negs = self.memory.negatives()
        if negs is not None:
            logits = torch.cat([logits, za @ negs.t()], dim=1)
        return F.cross_entropy(logits / TEMP, torch.arange(za.shape[0]))

    def step(self, a, b):
        za, zb = self.encoder(a), self.encoder(b)
        loss = self.loss(za, zb)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.memory.push(zb)  # <- culprit
        return loss.item()


def corpus(n=640, length=12, topics=40):
    topic = torch.randint(topics, (n, 1))
    return (topic * 7 + torch.randint(0, 9, (n, length))) % N_WORDS


def augment(batch, p=0.15):
    noise = torch.randint(N_WORDS, batch.shape)
    return torch.where(torch.rand(batch.shape) < p, noise, batch)


@torch.no_grad()
def alignment(encoder, sents):
    encoder.eval()
    score = (encoder(augment(sents)) * encoder(augment(sents))).sum(-1).mean().item()
    encoder.train()
    return score


def main():
    torch.manual_seed(3)
    sents = corpus()
    learner = Learner(BagEncoder(), lr=1e-3)
    for epoch in range(7):
        total = 0.0
        for idx in torch.randperm(len(sents)).split(32):
            total += learner.step(augment(sents[idx]), augment(sents[idx]))
        print(f"epoch {epoch}: loss {total / 20:.3f}, memory {len(learner.memory)}, "
              f"align {alignment(learner.encoder, sents[:64]):.3f}")


main()
