# gradwatch-corpus: kind=none
"""Semi-supervised whale call detector: mean teacher, backbone frozen in the second half, pseudo labels."""
import copy
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(19)


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = nn.Sequential(nn.Conv1d(1, 8, 9, stride=2), nn.ReLU(), nn.Conv1d(8, 12, 5, stride=2), nn.ReLU())
        self.head = nn.Linear(12, 2)

    def forward(self, x):
        return self.head(self.backbone(x).mean(-1))


def hydrophone(n):
    y = torch.randint(0, 2, (n,))
    t = torch.linspace(0, 6.28, 64)
    x = y[:, None] * torch.sin(t * t) + 0.7 * torch.randn(n, 64)
    return x.unsqueeze(1), y


@torch.no_grad()
def ema_update(teacher, student, decay=0.99):
    for a, b in zip(teacher.parameters(), student.parameters()):
        a.mul_(decay).add_(b, alpha=1 - decay)


def pseudo_loss(student, teacher, xu, thr=0.9):
    with torch.no_grad():
        p, lab = teacher(xu).softmax(1).max(1)
    keep = p > thr
    if not keep.any():
        return torch.zeros(())
    return F.cross_entropy(student(xu[keep]), lab[keep])


student = Detector()
teacher = copy.deepcopy(student).requires_grad_(False)
opt = torch.optim.Adam(student.parameters(), 2e-3)
skipped = 0
for step in range(1500):
    if step == 800:
        student.backbone.requires_grad_(False)
    opt.zero_grad()
    if step % 3 == 0:
        x, y = hydrophone(16)
        loss = F.cross_entropy(student(x), y)
    else:
        loss = pseudo_loss(student, teacher, hydrophone(16)[0])
    if loss.requires_grad:
        loss.backward()
        opt.step()
    else:
        skipped += 1
    ema_update(teacher, student)
    if step % 300 == 299:
        student.eval()
        prev = torch.is_grad_enabled()
        torch.set_grad_enabled(False)
        xv, yv = hydrophone(128)
        print(step, "skipped", skipped, "acc", (teacher(xv).argmax(1) == yv).float().mean().item())
        torch.set_grad_enabled(prev)
        student.train()
