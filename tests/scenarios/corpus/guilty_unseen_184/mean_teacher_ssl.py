# gradwatch-corpus: kind=graph-chain
# holder: teacher_state | teacher_state[name]
# first-bad: 1
import math
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


def two_moons(n, gen):
    t = torch.rand(n, generator=gen) * math.pi
    y = torch.randint(0, 2, (n,), generator=gen)
    x0 = torch.stack([torch.cos(t), torch.sin(t)], 1)
    x1 = torch.stack([1 - torch.cos(t), 0.5 - torch.sin(t)], 1)
    x = torch.where(y[:, None] == 0, x0, x1)
    return x + 0.1 * torch.randn(n, 2, generator=gen), y


def build_student(width=48):
    return nn.Sequential(
        nn.Linear(2, width), nn.ReLU(),
        nn.Linear(width, width), nn.ReLU(),
        nn.Linear(width, 2),
    )


def ema_decay(step, top=0.99):
    return min(1 - 1 / (step + 2), top)


def update_teacher(teacher_state, student, decay):
    for name, p in student.named_parameters():
        old = teacher_state[name]
        teacher_state[name] = torch.add(old, p - old, alpha=1 - decay)  # <- culprit


def rampup(step, length=150):
    if step >= length:
        return 1.0
    return math.exp(-5.0 * (1 - step / length) ** 2)


def evaluate(student, teacher_state, x, y):
    with torch.no_grad():
        s = (student(x).argmax(1) == y).float().mean().item()
        t = (functional_call(student, teacher_state, (x,)).argmax(1) == y).float().mean().item()
    return s, t


def main(steps=450):
    torch.manual_seed(2)
    gen = torch.Generator().manual_seed(8)
    lx, ly = two_moons(12, gen)
    ux, _ = two_moons(600, gen)
    tx, ty = two_moons(300, gen)

    student = build_student()
    teacher_state = {k: v.detach().clone() for k, v in student.named_parameters()}
    optimizer = torch.optim.Adam(student.parameters(), lr=3e-3)

    for step in range(steps):
        batch = ux[torch.randint(0, len(ux), (64,), generator=gen)]
        noisy_s = batch + 0.1 * torch.randn(batch.shape, generator=gen)
        noisy_t = batch + 0.1 * torch.randn(batch.shape, generator=gen)

        sup = F.cross_entropy(student(lx), ly)
        target = functional_call(student, teacher_state, (noisy_t,)).softmax(1)
        consistency = F.mse_loss(student(noisy_s).softmax(1), target)
        loss = sup + 2.0 * rampup(step) * consistency

        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update_teacher(teacher_state, student, ema_decay(step))

        if step % 75 == 0:
            s, t = evaluate(student, teacher_state, tx, ty)
            print(f"{step:4d} loss {loss.item():.4f} student {s:.3f} teacher {t:.3f}")


if __name__ == "__main__":
    main()
