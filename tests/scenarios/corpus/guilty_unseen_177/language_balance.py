# gradwatch-corpus: kind=graph-chain
# holder: level | levels
# first-bad: 1
"""Language identification on hashed n-grams; a surplus term punishes batches
worse than the smoothed past."""
import torch
from torch import nn
from torch.nn import functional as F

BUCKETS, LANGS = 96, 7


def corpus(seed):
    g = torch.Generator().manual_seed(seed)
    rates = torch.rand(LANGS, BUCKETS, generator=g).pow(4) * 3

    def batch(n):
        y = torch.randint(0, LANGS, (n,), generator=g)
        return torch.poisson(rates[y], generator=g).log1p(), y

    return batch


def surplus_term(momentum, weight):
    level = None

    def term(loss):
        nonlocal level
        if level is None:
            level = loss
        surplus = F.softplus(loss - level)
        level = momentum * level + (1 - momentum) * loss  # <- culprit
        return weight * surplus

    def current():
        return level.item()

    return term, current


def accuracy(model, batch):
    with torch.no_grad():
        x, y = batch(256)
        return (model(x).argmax(1) == y).float().mean().item()


def main(iterations=440):
    torch.manual_seed(91)
    batch = corpus(92)
    model = nn.Linear(BUCKETS, LANGS)
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, 150, gamma=0.5)
    term, current = surplus_term(momentum=0.9, weight=0.25)
    counts = torch.zeros(LANGS)
    for it in range(iterations):
        x, y = batch(32)
        counts += torch.bincount(y, minlength=LANGS)
        loss = F.cross_entropy(model(x), y)
        objective = loss + term(loss)
        opt.zero_grad()
        objective.backward(retain_graph=True)
        opt.step()
        sched.step()
        if it % 80 == 79:
            print(f"{it + 1} loss {loss.item():.4f} level {current():.4f} acc {accuracy(model, batch):.3f}")
    print("balance", [round(v, 3) for v in (counts / counts.sum()).tolist()])


if __name__ == "__main__":
    main()
