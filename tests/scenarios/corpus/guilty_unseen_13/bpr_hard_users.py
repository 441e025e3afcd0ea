# gradwatch-corpus: kind=graph-held
# holder: self.difficulty | self.difficulty[uid] | self.difficulty[user] | sampler.difficulty | trainer.sampler.difficulty | self.sampler.difficulty
# first-bad: 1
"""BPR matrix factorisation where users that are ranked badly are drawn more often.

Follows our internal note on adaptive user sampling (ranking squad, sprint 14).
"""
import random

import torch
import torch.nn.functional as F
from torch import nn

N_USERS, N_ITEMS, DIM = 300, 500, 24


class Interactions:
    """Clustered implicit feedback: each user likes the items of one block."""

    def __init__(self, seed=0):
        rng = random.Random(seed)
        block = N_ITEMS // 10
        self.likes = []
        for u in range(N_USERS):
            start = (u % 10) * block
            self.likes.append(rng.sample(range(start, start + block), 12))
        self.rng = rng

    def triple(self, user):
        pos = self.rng.choice(self.likes[user])
        neg = self.rng.randrange(N_ITEMS)
        while neg in self.likes[user]:
            neg = self.rng.randrange(N_ITEMS)
        return user, pos, neg


class DifficultySampler:
    def __init__(self, n_users, momentum=0.9, floor=0.05, default=1.0):
        self.n_users = n_users
        self.momentum = momentum
        self.floor = floor
        self.default = default
        self.difficulty = {}

    def probabilities(self):
        scores = [self.default] * self.n_users
        for uid, d in self.difficulty.items():
            scores[uid] = max(d.item(), self.floor)
        return torch.tensor(scores)

    def draw(self, k):
        return torch.multinomial(self.probabilities(), k).tolist()

    def observe(self, users, losses):
        for uid, value in zip(users, losses.unbind()):
            old = self.difficulty.get(uid, self.default)
            self.difficulty[uid] = self.momentum * old + (1 - self.momentum) * value  # <- culprit


class BPR(nn.Module):
    def __init__(self):
        super().__init__()
        self.user = nn.Embedding(N_USERS, DIM)
        self.item = nn.Embedding(N_ITEMS, DIM)
        self.item_bias = nn.Embedding(N_ITEMS, 1)
        for emb in (self.user, self.item):
            nn.init.normal_(emb.weight, std=0.1)
        nn.init.zeros_(self.item_bias.weight)

    def score(self, u, i):
        return (self.user(u) * self.item(i)).sum(-1) + self.item_bias(i).squeeze(-1)

    def forward(self, u, pos, neg):
        return self.score(u, pos) - self.score(u, neg)


class RankingTrainer:
    def __init__(self, batch_size=32, lr=0.05, l2=1e-4):
        self.data = Interactions()
        self.model = BPR()
        self.sampler = DifficultySampler(N_USERS)
        self.opt = torch.optim.Adagrad(self.model.parameters(), lr=lr)
        self.batch_size, self.l2 = batch_size, l2

    def loss(self, users):
        rows = [self.data.triple(u) for u in users]
        u, p, n = (torch.tensor(col) for col in zip(*rows))
        per_user = -F.logsigmoid(self.model(u, p, n))
        reg = self.model.user(u).pow(2).sum(-1).mean() + self.model.item(p).pow(2).sum(-1).mean()
        self.sampler.observe(users, per_user)  # <- culprit
        return per_user.mean() + self.l2 * reg

    def step(self):
        users = self.sampler.draw(self.batch_size)
        loss = self.loss(users)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main(steps=400):
    torch.manual_seed(5)
    trainer = RankingTrainer()
    avg = 0.0
    for it in range(steps):
        value = trainer.step()
        avg = value if it == 0 else 0.98 * avg + 0.02 * value
        if (it + 1) % 100 == 0:
            spread = trainer.sampler.probabilities()
            print(f"[{it + 1}] bpr {avg:.4f}  difficulty min {spread.min():.3f} max {spread.max():.3f}")


if __name__ == "__main__":
    main()
