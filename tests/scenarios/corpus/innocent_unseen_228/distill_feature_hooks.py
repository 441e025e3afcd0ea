# gradwatch-corpus: kind=none
"""Feature distillation of a plant-disease classifier via forward hooks."""
import torch
from torch import nn
import torch.nn.functional as F


class FeatureTap:
    def __init__(self, module):
        self.features = []
        self.handle = module.register_forward_hook(self.capture)

    def capture(self, module, inputs, output):
        self.features.append(output)

    def pop_all(self):
        taken = self.features
        self.features = []
        return taken

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.handle.remove()
        self.features.clear()


def leaf_net(width):
    return nn.Sequential(
        nn.Conv2d(3, width, 3, stride=2, padding=1),
        nn.BatchNorm2d(width),
        nn.ReLU(),
        nn.Conv2d(width, 2 * width, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(2 * width, 4),
    )


def attention_map(features):
    return F.normalize(features.pow(2).mean(1).flatten(1), dim=1)


def main():
    torch.manual_seed(55)
    teacher = leaf_net(16).eval().requires_grad_(False)
    student = leaf_net(6)
    opt = torch.optim.AdamW(student.parameters(), lr=3e-3)
    tint = torch.randn(4, 3, 1, 1)
    meter = {"ce": 0.0, "at": 0.0}
    with FeatureTap(teacher[4]) as teacher_tap, FeatureTap(student[4]) as student_tap:
        for step in range(110):
            labels = torch.randint(0, 4, (20,))
            images = torch.randn(20, 3, 16, 16) + tint[labels]
            teacher(images)
            ce = F.cross_entropy(student(images), labels)
            at = torch.zeros(())
            for t, s in zip(teacher_tap.pop_all(), student_tap.pop_all()):
                at = at + (attention_map(t) - attention_map(s)).pow(2).mean()
            loss = ce + 20 * at
            opt.zero_grad()
            loss.backward()
            opt.step()
            meter["ce"] += ce.item()
            meter["at"] += at.item()
            if step % 22 == 21:
                print(step + 1, {k: round(v / 22, 4) for k, v in meter.items()})
                meter = dict.fromkeys(meter, 0.0)


if __name__ == "__main__":
    main()
