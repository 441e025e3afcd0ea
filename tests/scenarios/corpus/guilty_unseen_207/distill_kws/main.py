# gradwatch-corpus: kind=graph-unused
# first-bad: 0
import torch

from audio import KeywordFrames
from distill import Distiller
from registry import create


def main():
    torch.manual_seed(53)
    teacher = create("deep", bands=16, classes=5)
    student = create("small", bands=16, classes=5)
    distiller = Distiller(student, teacher, temperature=2.0, decay=0.99)
    for step, (x, y) in enumerate(KeywordFrames(steps=450, batch=12, bands=16)):
        logs = distiller.step(x, y)
        if step % 90 == 0:
            print(step, logs)


if __name__ == "__main__":
    main()
