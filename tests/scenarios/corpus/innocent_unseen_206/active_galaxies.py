# gradwatch-corpus: kind=none
import torch
from torch import nn
import torch.nn.functional as F


class Sky:
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(0, 4, (n,), generator=g)
        centres = 1.6 * torch.randn(4, 10, generator=g)
        self.x = centres[self.kind] + torch.randn(n, 10, generator=g)


class Labelled:
    """The part of the pool an astronomer has looked at. Grows up to a budget."""

    def __init__(self, sky, seed_size, budget):
        self.sky, self.budget = sky, budget
        self.rows = list(range(seed_size))
        self.difficulty = [0.0] * seed_size
        self.embeds = []

    def __len__(self):
        return len(self.rows)

    def add(self, picks, scores, embeds):
        for p, s, e in zip(picks.tolist(), scores.tolist(), embeds):
            if len(self.rows) >= self.budget or p in self.rows:
                continue
            self.rows.append(p)
            self.difficulty.append(s)
            self.embeds.append(e)

    def curriculum(self, level, gen, n):
        order = sorted(range(len(self.rows)), key=self.difficulty.__getitem__)
        allowed = order[: max(n, int(level * len(order)))]
        pick = torch.randint(0, len(allowed), (n,), generator=gen).tolist()
        idx = torch.tensor([self.rows[allowed[i]] for i in pick])
        return self.sky.x[idx], self.sky.kind[idx]


class Morphology(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16), nn.ReLU())
        self.head = nn.Linear(16, 4)

    def forward(self, x):
        e = self.body(x)
        return self.head(e), e


@torch.no_grad()
def query(model, sky, gen, k=6):
    pool = torch.randint(0, len(sky.x), (256,), generator=gen)
    logits, embeds = model(sky.x[pool])
    p = logits.softmax(-1)
    entropy = -(p * p.clamp_min(1e-8).log()).sum(-1)
    top = entropy.topk(k).indices
    return pool[top], entropy[top], embeds[top]


def main():
    torch.manual_seed(30)
    gen = torch.Generator().manual_seed(30)
    sky = Sky(3000, seed=30)
    labelled = Labelled(sky, seed_size=40, budget=220)
    model = Morphology()
    opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
    curve, sizes = [], []
    for step in range(500):
        level = min(1.0, 0.4 + step / 200)
        x, y = labelled.curriculum(level, gen, 32)
        logits, _ = model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.05)
        opt.zero_grad()
        loss.backward()
        opt.step()
        curve.append(loss.item())
        if step % 2 == 1 and len(labelled) < labelled.budget:
            labelled.add(*query(model, sky, gen))
        sizes.append(len(labelled))
        if step % 100 == 99:
            with torch.no_grad():
                acc = (model(sky.x)[0].argmax(1) == sky.kind).float().mean().item()
            print(step + 1, f"labelled {sizes[-1]} acc {acc:.3f} loss {sum(curve[-50:]) / 50:.3f}")


if __name__ == "__main__":
    main()
