# gradwatch-corpus: kind=none
"""Semi-supervised steel-defect classification with a mean teacher."""
import torch

from callbacks import AnomalyGuard, LiveWindow, TensorWatch
from data import mixed_loader
from teacher import StudentTeacher
from trainer import Trainer


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(14)
    pair = StudentTeacher(features=10, classes=4, decay=0.97)
    watch = TensorWatch()
    trainer = Trainer(pair, callbacks=[LiveWindow(size=12), AnomalyGuard(limit=1.6), watch], ramp_start=80)
    trainer.fit(mixed_loader(rows=512, batch=16, labelled=0.4), epochs=10)
    print("live tensors being watched:", len(watch), "anomalies:", len(trainer.anomalies))


if __name__ == "__main__":
    main()
