# gradwatch-corpus: kind=none
"""Cell-type annotation with a momentum teacher, on a plugin engine."""
import argparse
import copy

import torch
import torch.nn.functional as F
from torch import nn

from engine import Engine
from plugins.history import History
from plugins.teacher import MomentumTeacher
from plugins.validation import Validation


def cells(n, genes, types, centre):
    y = torch.randint(types, (n,))
    return torch.poisson(torch.exp(0.3 * centre[y] + 0.2 * torch.randn(n, genes))), y


class Annotator(nn.Module):
    def __init__(self, genes, types):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(genes, 32), nn.BatchNorm1d(32), nn.ReLU(inplace=True))
        self.head = nn.Linear(32, types)

    def forward(self, x):
        return self.head(self.body(torch.log1p(x)))


def main():
    ap = argparse.ArgumentParser(description=__doc__)
    ap.add_argument("--steps", type=int, default=160)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(14)
    genes, types = 30, 4
    centre = 2 * torch.randn(types, genes)
    student = Annotator(genes, types)
    teacher = MomentumTeacher(copy.deepcopy(student), momentum=0.97)
    history = History()
    engine = Engine(student, torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9))
    engine.use(teacher, history, Validation(cells(200, genes, types, centre), every=20))

    def objective(batch):
        x, y = batch
        logits = student(x * (torch.rand_like(x) > 0.2))
        target = teacher(x)
        soft = F.kl_div(logits.log_softmax(-1), target.softmax(-1), reduction="batchmean")
        return {"hard": F.cross_entropy(logits[:16], y[:16]), "soft": 0.5 * soft}

    engine.run((cells(48, genes, types, centre) for _ in range(args.steps)), objective)
    print({k: round(sum(v[-20:]) / 20, 4) for k, v in history.curves.items()}, engine.notes[-1])


if __name__ == "__main__":
    main()
