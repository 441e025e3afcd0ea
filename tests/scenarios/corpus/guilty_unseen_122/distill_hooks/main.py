# gradwatch-corpus: kind=graph-held
# holder: self.seen | student_tap.seen | tap.seen | student_tap.seen["stage1"]
# first-bad: 41
# notice: 8
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

from taps import FeatureTap
from nets import make_cnn


def synth_images(n, gen):
    labels = torch.randint(0, 4, (n,), generator=gen)
    imgs = 0.3 * torch.randn(n, 3, 16, 16, generator=gen)
    for k, (r, c) in enumerate([(0, 0), (0, 8), (8, 0), (8, 8)]):
        imgs[labels == k, :, r:r + 8, c:c + 8] += 0.7
    return imgs, labels


def kd(s, t, temp=3.0):
    return F.kl_div(F.log_softmax(s / temp, 1), F.softmax(t / temp, 1), reduction="batchmean") * temp * temp


def pretrain(teacher, gen, steps=40):
    opt = torch.optim.Adam(teacher.parameters(), lr=3e-3)
    for _ in range(steps):
        x, y = synth_images(16, gen)
        opt.zero_grad()
        F.cross_entropy(teacher(x), y).backward()
        opt.step()
    return teacher.eval().requires_grad_(False)


def main():
    torch.manual_seed(11)
    gen = torch.Generator().manual_seed(5)
    teacher = pretrain(make_cnn(widths=(12, 16)), gen)
    student = make_cnn(widths=(6, 8))
    adapt = nn.Conv2d(6, 12, 1)
    student_tap = FeatureTap(student, ["stage1"])
    teacher_tap = FeatureTap(teacher, ["stage1"], keep=False)
    opt = torch.optim.SGD([*student.parameters(), *adapt.parameters()], lr=0.03, momentum=0.9)

    for it in range(220):
        x, y = synth_images(12, gen)
        with torch.no_grad():
            t_logits = teacher(x)
        s_logits = student(x)
        hint = F.mse_loss(adapt(student_tap.last("stage1")), teacher_tap.last("stage1"))
        loss = F.cross_entropy(s_logits, y) + 0.5 * kd(s_logits, t_logits) + 0.2 * hint
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 55 == 0:
            acc = (s_logits.argmax(1) == y).float().mean().item()
            print(f"iter {it}: loss {loss.item():.3f} hint {hint.item():.3f} acc {acc:.2f}")
    student_tap.remove()
    teacher_tap.remove()


if __name__ == "__main__":
    main()
