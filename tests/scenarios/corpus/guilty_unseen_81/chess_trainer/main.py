# gradwatch-corpus: kind=second-backward
# holder: self.deferred | trainer.deferred | coach.deferred | penalty | term
# first-bad: 5
# notice: 0
import torch

from boards import Positions
from coach import Coach
from hooks import Every, Hook, LegalRate
from policy import MovePolicy


class SymmetryDrill(Hook):
    """Every few steps: the mirrored board must be given the mirrored move."""

    def __init__(self, period=5, weight=0.3):
        self.period, self.weight = period, weight

    def before_step(self, coach, batch):
        if (coach.t + 1) % self.period != 0:
            return
        boards = batch.boards[:16]
        left = coach.model(boards).log_softmax(1)
        right = coach.model(boards.flip(-1)).log_softmax(1)
        mirrored = right.view(-1, 8, 8).flip(-1).flatten(1)
        coach.add_penalty("symmetry", self.weight * (left - mirrored).pow(2).mean())


class L1Head(Hook):
    def before_step(self, coach, batch):
        coach.add_penalty("l1", 1e-4 * coach.model.head.weight.abs().sum())


def main():
    torch.set_num_threads(1)
    torch.manual_seed(64)
    model = MovePolicy()
    coach = Coach(
        model,
        torch.optim.Adam(model.parameters(), lr=2e-3),
        hooks=[L1Head(), SymmetryDrill(), LegalRate(), Every(20, lambda c: print(c.describe()))],
    )
    coach.run(Positions(seed=8), steps=100)


if __name__ == "__main__":
    main()
