# gradwatch-corpus: kind=none
"""MAML over thermostats: three inner steps a room, second order, learned inner rates."""
import torch

from .meta import MetaLearner
from .rooms import room

torch.manual_seed(46)
torch.set_num_threads(1)


def main():
    learner = MetaLearner(2, 20)
    opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    average = None
    for step in range(110):
        losses = [learner.task_loss(*room()) for _ in range(3)]
        loss = torch.stack(losses).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        average = loss.item() if average is None else 0.95 * average + 0.05 * loss.item()
        if step % 22 == 21:
            print(step, f"{average:.4f}", [round(v, 3) for v in learner.rates.tolist()])


main()
