# gradwatch-corpus: kind=inplace-modified
# holder: self.teacher[2].weight | ema.teacher[2].weight | teacher[2].weight | self.teacher | ema.teacher | teacher | t
# first-bad: 10
# notice: 0
"""Semi-supervised leaf-disease classifier with an averaged teacher, on a small event engine."""
import copy

import torch
import torch.nn.functional as F
from torch import nn

from core.engine import Engine, Events
from core.loader import LeafLoader
from handlers.ema import AveragedTeacher
from handlers.progress import Progress

N_CLASSES, N_FEATURES = 5, 20


def make_student():
    return nn.Sequential(nn.Linear(N_FEATURES, 32), nn.GELU(), nn.Linear(32, N_CLASSES))


def make_objective(student, ema):
    def objective(engine, batch):
        logits = student(batch.x)
        supervised = F.cross_entropy(logits[batch.labelled], batch.y[batch.labelled])
        agree = ema.agreement(logits, batch.x_weak)
        return supervised + engine.state.ramp * agree
    return objective


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    student = make_student()
    ema = AveragedTeacher(copy.deepcopy(student), student, decay=0.98, warmup=10)
    engine = Engine(make_objective(student, ema), torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9))
    progress = Progress(every=25)
    ema.attach(engine)
    progress.attach(engine)

    @engine.on(Events.BATCH_START)
    def ramp_up(eng):
        eng.state.ramp = min(1.0, eng.state.step / 40)

    engine.run(LeafLoader(n=96, classes=N_CLASSES, features=N_FEATURES, batch=24), epochs=30)


if __name__ == "__main__":
    main()
