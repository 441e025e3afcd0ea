# gradwatch-corpus: kind=none
import sys

import torch
import torch.nn.functional as F

from events import Bus
from nets import FrameNet, make_teacher
from monitors import Drift, Snapshots


def unlabeled(step: int, n: int = 8, bins: int = 16, frames: int = 24):
    g = torch.Generator().manual_seed(step)
    tone = torch.randint(bins, (n, frames // 4), generator=g).repeat_interleave(4, 1)
    spec = F.one_hot(tone, bins).float().transpose(1, 2) * 3
    return spec + 0.3 * torch.randn(n, bins, frames, generator=g), tone


def main(steps: int = 450, labelled: int = 2) -> None:
    torch.manual_seed(23)
    bus = Bus()
    student = FrameNet(16, 32, 16)
    teacher = make_teacher(student)
    opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9, nesterov=True)
    Drift(bus, student, teacher)
    Snapshots(bus, student, keep=4, every=25)
    for step in range(steps):
        spec, tone = unlabeled(step)
        weak = spec + 0.1 * torch.randn_like(spec)
        hard = spec.clone()
        hard[:, :, 8:14] = 0
        soft = teacher(weak).softmax(1)
        out = student(hard)
        sup = F.cross_entropy(out[:labelled], tone[:labelled])
        cons = F.kl_div(out.log_softmax(1), soft, reduction="batchmean") / spec.shape[-1]
        loss = sup + min(1.0, step / 100) * cons
        opt.zero_grad()
        loss.backward()
        opt.step()
        teacher.follow(student, momentum=min(0.99, 1 - 1 / (step + 2)))
        bus.emit("step", step=step, sup=sup, cons=cons)
    bus.emit("end")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
