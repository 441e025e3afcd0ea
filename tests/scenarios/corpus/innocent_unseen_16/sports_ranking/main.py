# gradwatch-corpus: kind=none
"""Player ratings from possessions, two tasks on one trunk: points scored and turnover or not.

Conflicting task gradients are projected onto each other's normal plane before the step (after Yu et al., 2020).
"""
import torch
import torch.nn.functional as F

from court import Possessions
from ratings import RatingNet
from surgery import project_conflicts


class Counter:
    """Counts under string keys; `counter["x"] += 1`."""

    def __init__(self):
        self._n = {}

    def __getitem__(self, key):
        return self._n.get(key, 0)

    def __setitem__(self, key, value):
        self._n[key] = value


def task_losses(model, batch):
    home, away, points, turnover = batch
    score, lost = model(home, away)
    return {"points": F.poisson_nll_loss(score, points), "turnover": F.binary_cross_entropy_with_logits(lost, turnover)}


def train_step(model, optim, batch, counter):
    losses = task_losses(model, batch)
    trunk = list(model.trunk_parameters())
    names = list(losses)

    per_task = {}
    for name in names:
        per_task[name] = torch.autograd.grad(losses[name], trunk, retain_graph=True)
    merged, conflict = project_conflicts(*per_task.values())
    counter["conflicts"] += conflict

    optim.zero_grad(set_to_none=True)
    sum(losses.values()).backward()
    for p, g in zip(trunk, merged):
        p.grad = g
    optim.step()
    return {name: value.item() for name, value in losses.items()}


def main(steps=300):
    torch.manual_seed(23)
    torch.set_num_threads(1)
    court = Possessions(players=60, seed=8)
    model = RatingNet(players=60)
    optim = torch.optim.Adam(model.parameters(), lr=3e-3)
    counter, smooth = Counter(), {}
    for step in range(steps):
        for name, value in train_step(model, optim, court.batch(64), counter).items():
            smooth[name] = 0.97 * smooth.get(name, value) + 0.03 * value
        if (step + 1) % 75 == 0:
            row = " ".join(f"{k} {v:.4f}" for k, v in smooth.items())
            print(f"step {step + 1}: {row}, conflicts in {counter['conflicts'] / (step + 1):.0%} of the steps")
    print("best rated:", model.ranking()[:5])


if __name__ == "__main__":
    main()
