# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | teacher.shadow | distiller.teacher.shadow
import torch

from .data import two_moons
from .distill import Distiller
from .student import Student


def main():
    torch.manual_seed(2)
    torch.set_num_threads(1)
    distiller = Distiller(Student(), momentum=0.98)
    for epoch in range(5):
        for x, y, u in two_moons(batches=20, seed=epoch):
            logs = distiller.step(x, y, u)
        print(epoch, {k: round(v, 4) for k, v in logs.items()})


if __name__ == "__main__":
    main()
