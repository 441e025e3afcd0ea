# gradwatch-corpus: kind=inplace-modified
# first-bad: 24
"""Pool-based active learning with a committee: every 25 steps the committee queries the labels it disagrees on most.

Acquisition, logging and pool housekeeping are callbacks that run between the forward pass and the update.
"""
import torch
import torch.nn.functional as F
from torch import nn


class Committee(nn.Module):
    def __init__(self, features, classes, members=4, dim=32):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Sequential(nn.Linear(features, dim), nn.ReLU(), nn.Linear(dim, classes)) for _ in range(members))

    def forward(self, x):
        return torch.stack([m(x) for m in self.members]).softmax(dim=-1)   # (members, n, classes)


class Pool:
    def __init__(self, size, features, classes, seed):
        gen = torch.Generator().manual_seed(seed)
        centres = torch.randn(classes, features, generator=gen) * 1.2
        self.y = torch.randint(classes, (size,), generator=gen)
        self.x = centres[self.y] + torch.randn(size, features, generator=gen)
        self.known = torch.zeros(size, dtype=torch.bool)
        self.known[torch.randperm(size, generator=gen)[:40]] = True
        self.gen = gen

    def labelled(self, n):
        idx = self.known.nonzero().squeeze(1)
        return idx[torch.randint(len(idx), (n,), generator=self.gen)]

    def candidates(self, n):
        idx = (~self.known).nonzero().squeeze(1)
        return idx[torch.randperm(len(idx), generator=self.gen)[:n]]


class State:
    """What callbacks may look at."""
    step = 0
    probs = None        # committee output on the labelled half followed by the candidate half
    loss = None
    candidates = None
    n_labelled = 0


class Callback:
    def on_forward(self, state): ...
    def on_step_end(self, state): ...


class Disagreement(Callback):
    """Vote entropy of the mean minus mean entropy (BALD), the top few are sent to the annotators."""

    def __init__(self, pool, every=25, take=8):
        self.pool, self.every, self.take = pool, every, take

    @staticmethod
    def entropy(p):
        return -(p * p.log()).sum(-1)

    def on_forward(self, state):
        if (state.step + 1) % self.every:
            return
        p = state.probs.detach()[:, state.n_labelled:]
        p.clamp_(min=1e-6)  # <- culprit
        score = self.entropy(p.mean(0)) - self.entropy(p).mean(0)
        chosen = state.candidates[score.topk(self.take).indices]
        self.pool.known[chosen] = True


class Progress(Callback):
    def __init__(self, pool, every=20):
        self.pool, self.every, self.smooth = pool, every, None

    def on_step_end(self, state):
        value = state.loss.item()
        self.smooth = value if self.smooth is None else 0.9 * self.smooth + 0.1 * value
        if (state.step + 1) % self.every == 0:
            print(f"step {state.step + 1}: loss {self.smooth:.3f}, {int(self.pool.known.sum())} labels")


def objective(probs, target, n_labelled):
    """Likelihood on what is labelled, agreement on what is not."""
    log_p = probs[:, :n_labelled].log()
    nll = F.nll_loss(log_p.flatten(0, 1), target.repeat(len(probs)))
    open_part = probs[:, n_labelled:]
    mean = open_part.mean(0, keepdim=True)
    return nll + 0.1 * (open_part - mean).pow(2).sum(-1).mean()


def train(pool, model, callbacks, steps=300, batch=24):
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    state = State()
    for state.step in range(steps):
        labelled = pool.labelled(batch)
        state.candidates = pool.candidates(batch)
        state.n_labelled = batch
        state.probs = model(torch.cat([pool.x[labelled], pool.x[state.candidates]]))
        state.loss = objective(state.probs, pool.y[labelled], batch)
        for cb in callbacks:
            cb.on_forward(state)
        optim.zero_grad()
        state.loss.backward()
        optim.step()
        for cb in callbacks:
            cb.on_step_end(state)


def main():
    torch.manual_seed(31)
    torch.set_num_threads(1)
    pool = Pool(size=4000, features=12, classes=5, seed=9)
    model = Committee(features=12, classes=5)
    train(pool, model, [Disagreement(pool), Progress(pool)])
    with torch.no_grad():
        acc = (model(pool.x).mean(0).argmax(1) == pool.y).float().mean()
    print(f"pool accuracy {acc:.3f}")


if __name__ == "__main__":
    main()
