# gradwatch-corpus: kind=none
from dataclasses import asdict

import torch

from settings import Settings
from signs import SignBatches
from distill import Distiller
from nets import ConvNet


def main():
    s = Settings()
    torch.manual_seed(s.seed)
    print(asdict(s))
    data = SignBatches(s.classes, s.size)
    d = Distiller(ConvNet(24, s.classes), ConvNet(8, s.classes), s)
    d.warm_teacher(data, s.teacher_steps)
    d.run(data, s.steps)
    print("student acc", round(d.accuracy(data), 3))


if __name__ == "__main__":
    main()
