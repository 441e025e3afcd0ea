# gradwatch-corpus: kind=graph-unused
# first-bad: 60
"""Hinton style distillation: pretrain a wide teacher, then a narrow student."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def make_task(seed=0, classes=8, dim=30):
    g = torch.Generator().manual_seed(seed)
    proj = torch.randn(dim, 20, generator=g)
    head = torch.randn(20, classes, generator=g)

    def batch(n):
        x = torch.randn(n, dim, generator=g)
        y = (torch.tanh(x @ proj) @ head).argmax(1)
        return x, y
    return batch


def net(width, depth, dim=30, classes=8):
    mods = [nn.Linear(dim, width), nn.ReLU()]
    for _ in range(depth - 1):
        mods += [nn.Linear(width, width), nn.ReLU()]
    return nn.Sequential(*mods, nn.Linear(width, classes))


def pretrain(teacher, batch, steps=60):
    opt = torch.optim.Adam(teacher.parameters(), lr=2e-3)
    for _ in range(steps):
        x, y = batch(128)
        loss = F.cross_entropy(teacher(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return loss.item()


def soft_targets(logits, temperature):
    return F.softmax(logits / temperature, dim=1).detach()


def kd_loss(student_logits, targets, temperature):
    logp = F.log_softmax(student_logits / temperature, dim=1)
    return F.kl_div(logp, targets, reduction="batchmean") * temperature ** 2


def distill(teacher, student, batch, steps=500, temperature=3.0, alpha=0.7):
    teacher.eval()
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    for step in range(steps):
        x, y = batch(64)
        teacher_logits = teacher(x)  # <- culprit
        targets = soft_targets(teacher_logits, temperature)
        logits = student(x)
        loss = alpha * kd_loss(logits, targets, temperature) + (1 - alpha) * F.cross_entropy(logits, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 0:
            agree = (logits.argmax(1) == targets.argmax(1)).float().mean().item()
            print(f"step {step} loss {loss.item():.4f} agreement {agree:.3f}")


@torch.no_grad()
def accuracy(model, batch, n=2000):
    x, y = batch(n)
    return (model(x).argmax(1) == y).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(0)
    batch = make_task()
    teacher, student = net(128, 5), net(24, 1)
    print("teacher loss", pretrain(teacher, batch))
    distill(teacher, student, batch)
    print("teacher", accuracy(teacher, batch), "student", accuracy(student, batch))
