# gradwatch-corpus: kind=second-backward
# holder: kept | teacher_logits.kept | inner.kept
# first-bad: 220
# also: graph-held
"""Distil a wide keyword spotting teacher into a tiny student. The recordings do not change
from epoch to epoch, so the teacher runs once per batch and its answers are looked up later on."""
import torch
import torch.nn.functional as F

from clips import keyword_batches
from nets import Student, Teacher
from once import once_per

torch.manual_seed(41)
teacher, student = Teacher(), Student()
pair = torch.nn.ModuleDict({"teacher": teacher, "student": student})
TEMPERATURE = 3.0


@once_per("bid")  # <- culprit
def teacher_logits(clip, bid):
    return teacher(clip) / TEMPERATURE  # <- culprit


def distill(clip, label, bid, mix=0.7):
    hard = student(clip)
    target = F.softmax(teacher_logits(clip, bid=bid), dim=-1)
    soft = F.kl_div(F.log_softmax(hard / TEMPERATURE, -1), target, reduction="batchmean")
    return mix * TEMPERATURE ** 2 * soft + (1 - mix) * F.cross_entropy(hard, label), hard


def run(epochs=3):
    teacher.warm_start(keyword_batches(n=60, seed=100))
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
    for epoch in range(epochs):
        right = seen = 0
        for bid, (clip, label) in enumerate(keyword_batches(n=160, seed=1)):
            loss, out = distill(clip, label, bid)
            pair.zero_grad()
            loss.backward()
            opt.step()
            right += (out.argmax(-1) == label).sum().item()
            seen += len(label)
            if bid % 40 == 0:
                print(f"epoch {epoch} batch {bid:3d} loss {loss.item():.4f} acc {right / seen:.3f}")


if __name__ == "__main__":
    run()
