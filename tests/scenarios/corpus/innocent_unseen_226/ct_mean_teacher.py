# gradwatch-corpus: kind=none
"""Mean teacher for nodule classification in CT patches, 10 % labelled."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def patches(n, gen):
    label = torch.randint(0, 2, (n,), generator=gen)
    r = torch.linspace(-1, 1, 16)
    dist = (r[:, None] ** 2 + r[None, :] ** 2).sqrt()
    width = torch.where(label == 1, 0.35, 0.2)[:, None, None]
    blob = torch.exp(-((dist / width) ** 2))
    image = blob + 0.5 * torch.randn(n, 16, 16, generator=gen)
    return image[:, None], label


def student_net():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1),
        nn.BatchNorm2d(8),
        nn.ReLU(),
        nn.AvgPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1),
        nn.BatchNorm2d(16),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(2),
        nn.Flatten(),
        nn.Dropout(0.2),
        nn.Linear(64, 2),
    )


class Teacher:
    def __init__(self, student, decay=0.97):
        self.net = copy.deepcopy(student)
        self.decay = decay
        self.consistency = None

    @torch.no_grad()
    def follow(self, student):
        mine = self.net.state_dict()
        for key, value in student.state_dict().items():
            if value.dtype.is_floating_point:
                mine[key].mul_(self.decay).add_(value, alpha=1 - self.decay)
            else:
                mine[key].copy_(value)

    @torch.no_grad()
    def opinion(self, x):
        self.net.eval()
        return self.net(x).softmax(dim=1)

    def note(self, value):
        value = value.detach()
        if self.consistency is None:
            self.consistency = value
        else:
            self.consistency = 0.9 * self.consistency + 0.1 * value


def augment(x):
    if torch.rand(()) < 0.5:
        x = x.flip(-1)
    return x + 0.1 * torch.randn_like(x)


gen = torch.Generator().manual_seed(101)
torch.manual_seed(101)
student = student_net()
teacher = Teacher(student)
opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9, nesterov=True)
labelled_x, labelled_y = patches(60, gen)

for it in range(130):
    pick = torch.randint(0, 60, (12,))
    free_x, _ = patches(36, gen)
    student.train()
    sup = F.cross_entropy(student(augment(labelled_x[pick])), labelled_y[pick])
    goal = teacher.opinion(augment(free_x))
    agree = F.mse_loss(student(augment(free_x)).softmax(dim=1), goal)
    ramp = min(1.0, it / 40)
    opt.zero_grad()
    (sup + 3.0 * ramp * agree).backward()
    opt.step()
    teacher.follow(student)
    teacher.note(agree)
    if it % 26 == 0:
        print(f"it {it:3d} supervised {sup.item():.4f} consistency {teacher.consistency.item():.5f}")

test_x, test_y = patches(400, gen)
acc = (teacher.opinion(test_x).argmax(1) == test_y).float().mean().item()
print(f"teacher accuracy {acc:.3f}")
