# gradwatch-corpus: kind=none
import collections

import torch
import torch.nn as nn
import torch.nn.functional as F


class RecipeEncoder(nn.Module):
    def __init__(self, n_ingredients, dim):
        super().__init__()
        self.emb = nn.EmbeddingBag(n_ingredients, dim)
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.GELU(), nn.Linear(dim, dim))

    def forward(self, bags):
        return F.normalize(self.mix(self.emb(bags)), dim=-1)


class RollingRecall:
    def __init__(self, window=30):
        self.hits = collections.deque(maxlen=window)

    def update(self, scores, target):
        top = scores.detach().topk(5, dim=1).indices
        self.hits.append((top == target[:, None]).any(1).float().mean())

    def value(self):
        return torch.stack(list(self.hits)).mean().item()


class RetrievalRun:
    def __init__(self, n_recipes=150, n_ingredients=60, dim=24):
        g = torch.Generator().manual_seed(6)
        self.recipes = torch.randint(0, n_ingredients, (n_recipes, 7), generator=g)
        self.encoder = RecipeEncoder(n_ingredients, dim)
        self.query = RecipeEncoder(n_ingredients, dim)
        self.opt = torch.optim.Adam([*self.encoder.parameters(), *self.query.parameters()], lr=3e-3)
        self.recall = RollingRecall()
        self.bank = None

    def refresh_bank(self):
        with torch.no_grad():
            self.bank = self.encoder(self.recipes)

    def batches(self, bs=25):
        for idx in torch.randperm(len(self.recipes)).split(bs):
            bags = self.recipes[idx]
            cols = torch.rand(bags.shape).argsort(1)[:, :4]
            yield idx, bags.gather(1, cols)

    def train_batch(self, idx, part):
        q = self.query(part)
        fresh = self.encoder(self.recipes[idx])
        bank = self.bank.clone()
        bank[idx] = fresh.detach()
        scores = q @ bank.t() / 0.1
        pull = (1 - (q * fresh).sum(-1)).mean()
        loss = F.cross_entropy(scores, idx) + pull
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.bank[idx] = fresh.detach()
        self.recall.update(scores, idx)
        return loss.detach()

    def fit(self, epochs=15):
        for ep in range(epochs):
            self.refresh_bank()
            losses = [self.train_batch(i, p) for i, p in self.batches()]
            if ep % 3 == 0:
                print(f"epoch {ep} loss {torch.stack(losses).mean():.3f} recall@5 {self.recall.value():.3f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    RetrievalRun().fit()
