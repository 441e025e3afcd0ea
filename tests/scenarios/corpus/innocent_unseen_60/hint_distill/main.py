# gradwatch-corpus: kind=none
"""Distil a deep tower in a shallow one with attention on intermediate similarities
(similarity-preserving distillation, Tung & Mori 2019). The student is evaluated with a
running average of its weights."""
import argparse
import copy

import torch
import torch.nn.functional as F

from nets import Tower
from taps import ActivationTap


def similarity(acts):
    g = acts @ acts.t()
    return F.normalize(g, dim=1)


def sp_loss(student_acts, teacher_acts):
    """Compare each student activation with the teacher's at the same relative depth."""
    ratio = len(teacher_acts) // len(student_acts)
    terms = [(similarity(s) - similarity(teacher_acts[(i + 1) * ratio - 1])).pow(2).mean()
             for i, s in enumerate(student_acts)]
    return sum(terms) / len(terms)


@torch.no_grad()
def update_average(avg, model, decay):
    for a, p in zip(avg.parameters(), model.parameters()):
        a.copy_(decay * a + (1 - decay) * p)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=200)
    ap.add_argument("--batch-size", type=int, default=32)
    ap.add_argument("--gamma", type=float, default=20.0)
    ap.add_argument("--temperature", type=float, default=2.0)
    ap.add_argument("--accumulate", type=int, default=2)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(14)

    teacher = Tower(10, 48, 6, 5).eval().requires_grad_(False)
    student = Tower(10, 24, 2, 5)
    average = copy.deepcopy(student).requires_grad_(False)
    taps = {"teacher": ActivationTap(teacher, {"block"}), "student": ActivationTap(student, {"block"})}
    opt = torch.optim.AdamW(student.parameters(), lr=3e-3)
    test_x = torch.randn(256, 10)
    test_y = teacher(test_x).argmax(1)
    logged = []

    for step in range(args.steps):
        opt.zero_grad()
        total = 0
        for _ in range(args.accumulate):
            for tap in taps.values():
                tap.clear()
            x = torch.randn(args.batch_size, 10)
            t_logits, s_logits = teacher(x), student(x)
            T = args.temperature
            kd = F.kl_div(F.log_softmax(s_logits / T, 1), F.softmax(t_logits / T, 1), reduction="batchmean")
            loss = T * T * kd + args.gamma * sp_loss(taps["student"]["block"], taps["teacher"]["block"])
            total = total + loss / args.accumulate
        total.backward()
        opt.step()
        update_average(average, student, 0.95)
        logged.append(total.detach().item())
        if step % 40 == 0:
            with torch.no_grad():
                agree = (average(test_x).argmax(1) == test_y).float().mean().item()
            print(f"step {step:3d} loss {logged[-1]:.4f} agreement {agree:.3f}")

    for tap in taps.values():
        tap.remove()


if __name__ == "__main__":
    main()
