# gradwatch-corpus: kind=none
"""Cough detection, few labels: mean teacher with gradient accumulation and a prediction archive."""
import logging

import torch
import torch.nn.functional as F

from archive import Archive, Report
from teacher import MeanTeacher, SpectralNet
from recordings import augment, record

logging.basicConfig(level=logging.INFO, format="%(message)s")
ACCUMULATE = 2
STEPS = 160


def losses(student, teacher, labelled, free):
    x, y = labelled
    supervised = F.binary_cross_entropy_with_logits(student(augment(x)), y)
    with torch.no_grad():
        goal = torch.sigmoid(teacher(augment(free)))
    mine = torch.sigmoid(student(augment(free)))
    return supervised, F.mse_loss(mine, goal), mine


def main():
    torch.set_num_threads(1)
    torch.manual_seed(15)
    student = SpectralNet()
    teacher = MeanTeacher(student, decay=0.97)
    opt = torch.optim.AdamW(student.parameters(), lr=2e-3)
    archive, report = Archive(), Report()
    ramp = 0.0
    for step in range(STEPS):
        sup, cons, mine = losses(student, teacher, record(12), record(24)[0])
        ramp = torch.lerp(torch.as_tensor(ramp), torch.tensor(5.0), 0.03)
        ((sup + ramp * cons) / ACCUMULATE).backward()
        if (step + 1) % ACCUMULATE == 0:
            opt.step()
            opt.zero_grad()
            teacher.follow(student)
        archive.add(step, mine)
        report.defer("sup {sup:.3f} cons {cons:.4f}", sup=sup, cons=cons)
    for line in report.lines(every=40):
        logging.info(line)
    x, y = record(300)
    acc = ((teacher(x) > 0) == (y > 0.5)).float().mean().item()
    logging.info("teacher accuracy %.3f, confident share %.2f", acc, archive.confident())


if __name__ == "__main__":
    main()
