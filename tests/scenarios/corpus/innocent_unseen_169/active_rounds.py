# gradwatch-corpus: kind=none
from dataclasses import dataclass, field

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(151)

ACQUIRE = {}


def acquisition(fn):
    ACQUIRE[fn.__name__] = fn
    return fn


@dataclass
class Round:
    number: int
    strategy: str
    labelled: int
    losses: list = field(default_factory=list)
    pool_scores: torch.Tensor = None


class Committee(nn.Module):
    def __init__(self, members, d, k):
        super().__init__()
        self.nets = nn.ModuleList(
            nn.Sequential(nn.Linear(d, 20), nn.ReLU(), nn.Linear(20, k)) for _ in range(members))

    def forward(self, x):
        return torch.stack([net(x) for net in self.nets])


@acquisition
@torch.no_grad()
def disagreement(model, pool):
    probs = model(pool).softmax(-1)
    mean = probs.mean(0)
    ent = -(mean * mean.clamp_min(1e-9).log()).sum(-1)
    return ent + (probs * probs.clamp_min(1e-9).log()).sum(-1).mean(0)


@acquisition
def gradient_length(model, pool):
    x = pool.clone().requires_grad_()
    logp = model(x).log_softmax(-1)
    scores = 0
    for member in logp:
        top = member.max(-1).values.sum()
        (g,) = torch.autograd.grad(top, x, retain_graph=True)
        scores = scores + g.norm(dim=1)
    spread = logp.exp().var(0).sum()
    (g,) = torch.autograd.grad(spread, x)
    return scores + g.norm(dim=1)


class ActiveLearner:
    def __init__(self, x, y, start, members=3):
        self.x, self.y, self.members = x, y, members
        perm = torch.randperm(len(x))
        self.have, self.pool = perm[:start], perm[start:]
        self.rounds, self.graphs = [], {}

    def train_round(self, rnd, steps):
        model = Committee(self.members, self.x.shape[1], 3)
        opt = torch.optim.Adam(model.parameters(), lr=5e-3)
        for step in range(steps):
            idx = self.have[torch.randint(len(self.have), (24,))]
            out = model(self.x[idx])
            self.graphs[step % 2] = out.softmax(-1)
            ce = F.cross_entropy(out.flatten(0, 1), self.y[idx].repeat(self.members))
            repel = -self.graphs[step % 2].var(0).sum(-1).mean()
            loss = ce + 0.05 * repel
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.graphs[step % 2] = self.graphs[step % 2].detach()
            rnd.losses.append(loss.item())
        self.graphs.clear()
        return model

    def acquire(self, model, rnd, count):
        rnd.pool_scores = ACQUIRE[rnd.strategy](model, self.x[self.pool])
        order = rnd.pool_scores.argsort(descending=True)
        self.have = torch.cat([self.have, self.pool[order[:count]]])
        self.pool = self.pool[order[count:]]

    def run(self, strategies, steps=25, count=15):
        for number, strategy in enumerate(strategies):
            rnd = Round(number, strategy, len(self.have))
            model = self.train_round(rnd, steps)
            self.acquire(model, rnd, count)
            self.rounds.append(rnd)
            with torch.no_grad():
                acc = (model(self.x[self.pool]).mean(0).argmax(-1) == self.y[self.pool]).float().mean().item()
            print(f"round {number} {strategy:15s} n={rnd.labelled} loss {rnd.losses[-1]:.3f} acc {acc:.3f}")


def main():
    x = torch.randn(400, 4)
    y = (x[:, 0] * x[:, 1] > 0).long() + (x[:, 2] > 0.8).long()
    learner = ActiveLearner(x, y, start=20)
    learner.run(["disagreement", "gradient_length"] * 3)
    print("best", max(learner.rounds, key=lambda r: -r.losses[-1]).number)


if __name__ == "__main__":
    main()
