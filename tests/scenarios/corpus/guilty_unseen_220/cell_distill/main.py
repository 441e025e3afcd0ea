# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | bundle["teacher"].weights
# first-bad: 1
"""Self-distillation on synthetic single-cell expression profiles."""
import torch
from torch import optim

from cells import ExpressionSampler
from cells import dropout_genes
from nets import MeanTeacher
from nets import build_encoder
from nets import distill_loss

HPARAMS = {
    "genes": 300,
    "width": 128,
    "out": 32,
    "batch": 128,
    "steps": 100,
    "momentum": 0.97,
    "lr": 1e-3,
    "seed": 61,
}


def setup(hp):
    torch.manual_seed(hp["seed"])
    student = build_encoder(hp["genes"], hp["width"], hp["out"])
    teacher = MeanTeacher(student, hp["momentum"])
    optimizer = optim.AdamW(student.parameters(), lr=hp["lr"], weight_decay=1e-4)
    sampler = ExpressionSampler(hp["genes"], n_types=7, seed=hp["seed"])
    return {
        "student": student,
        "teacher": teacher,
        "optimizer": optimizer,
        "sampler": sampler,
    }


def train_step(bundle, batch_size):
    counts, _ = bundle["sampler"].draw(batch_size)
    view_a = dropout_genes(counts, 0.3)
    view_b = dropout_genes(counts, 0.1)
    target = bundle["teacher"](view_b)
    loss = distill_loss(bundle["student"](view_a), target)
    bundle["optimizer"].zero_grad()
    loss.backward()
    bundle["optimizer"].step()
    bundle["teacher"].follow(bundle["student"])
    return float(loss.detach())


def main():
    bundle = setup(HPARAMS)
    log = []
    for step in range(HPARAMS["steps"]):
        log.append(train_step(bundle, HPARAMS["batch"]))
        if step % 20 == 19:
            print("step", step + 1, "loss", round(sum(log[-20:]) / 20, 4))


if __name__ == "__main__":
    main()
