# gradwatch-corpus: kind=none
"""Distil a wide leaf-shape classifier into a small one; trainer with callbacks."""
import torch
from torch.utils.data import DataLoader, TensorDataset

from callbacks import BestWeights, EarlyStopping, EmaTeacher, LossCurve, Printer
from models import make_student, make_teacher
from objectives import CrossEntropyObjective, DistillObjective
from trainer import Trainer


def leaves(n, centers):
    y = torch.randint(len(centers), (n,))
    r = centers[y] + 0.9 * torch.randn(n, centers.shape[1])
    return TensorDataset(r, y)


def main():
    torch.manual_seed(2024)
    torch.set_num_threads(1)
    centers = torch.randn(7, 12)
    train = DataLoader(leaves(960, centers), batch_size=32, shuffle=True)
    valid = DataLoader(leaves(400, centers), batch_size=100)

    teacher = make_teacher(12, 7)
    print("== teacher")
    Trainer(teacher, CrossEntropyObjective(), lr=2e-3,
            callbacks=[LossCurve(), BestWeights(), Printer()]).fit(train, valid, epochs=5)

    student = make_student(12, 7)
    ema = EmaTeacher(student, decay=0.98)
    print("== student")
    Trainer(student, DistillObjective(teacher, ema, temperature=3.0), lr=3e-3,
            callbacks=[ema, LossCurve(), BestWeights(), EarlyStopping(patience=4), Printer()]
            ).fit(train, valid, epochs=9)


if __name__ == "__main__":
    main()
