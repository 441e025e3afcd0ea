# gradwatch-corpus: kind=inplace-modified
# first-bad: 30
# Which ingredient is missing? Dot-product model with the weight vectors kept short.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

rng = np.random.default_rng(77)
torch.manual_seed(77)

N_INGREDIENTS = 80
N_CUISINES = 6
DIM = 20
MAX_NORM = 2.0
WARMUP = 30
N_STEPS = 120

cuisine_probs = rng.dirichlet(np.full(N_INGREDIENTS, 0.15), size=N_CUISINES)


def recipe():
    c = rng.integers(N_CUISINES)
    items = rng.choice(N_INGREDIENTS, size=6, p=cuisine_probs[c])
    return items


def make_batch(n):
    rows = np.stack([recipe() for _ in range(n)])
    rows = torch.from_numpy(rows)
    return rows[:, :-1], rows[:, -1]


class MissingIngredient(nn.Module):
    def __init__(self):
        super().__init__()
        self.ingredients = nn.Embedding(N_INGREDIENTS, DIM)
        self.mix = nn.Linear(DIM, DIM)
        self.log_temp = nn.Parameter(torch.zeros(1))

    def forward(self, basket):
        e = self.ingredients(basket).mean(1)
        query = torch.tanh(self.mix(e))
        scores = query @ self.ingredients.weight.t()
        return scores * self.log_temp.exp()


@torch.no_grad()
def clip_rows(weight, limit):
    norms = weight.norm(dim=1, keepdim=True)
    scale = (limit / norms).clamp(max=1.0)
    weight.mul_(scale)  # <- culprit
    return (scale < 1).sum().item()


def train():
    model = MissingIngredient()
    optimizer = torch.optim.Adagrad(model.parameters(), lr=0.05)
    clipped = 0
    hits = []
    for step in range(N_STEPS):
        basket, target = make_batch(32)
        scores = model(basket)
        loss = F.cross_entropy(scores, target)

        # let the vectors settle before they are constrained
        if step >= WARMUP:
            clipped += clip_rows(model.ingredients.weight, MAX_NORM)  # <- culprit

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

        top5 = scores.topk(5, dim=1).indices
        hits.append((top5 == target[:, None]).any(1).float().mean().item())
        if step % 15 == 0:
            print("step", step, "loss", round(loss.item(), 3), "hit@5", np.mean(hits[-15:]), "clipped", clipped)
    return model


model = train()
torch.manual_seed(0)
basket, target = make_batch(200)
with torch.no_grad():
    acc = (model(basket).argmax(1) == target).float().mean().item()
print("top-1", acc)
