# gradwatch-corpus: kind=graph-held
# holder: self.maps["block1"] | self.maps["block2"] | student_tap.maps["block1"] | student_tap.maps["block2"] | student_tap.maps | self.maps
# first-bad: 1
# notice: 8
"""Knowledge distillation with hints (FitNets) plus soft targets.

Intermediate feature maps of teacher and student are taken with forward hooks, so that the
model definitions stay untouched.
"""
from collections import defaultdict

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(2024)

CLASSES = 6
BATCH = 32
STEPS = 120
TEMPERATURE = 3.0


class ConvNet(nn.Module):
    def __init__(self, w1, w2):
        super().__init__()
        self.block1 = nn.Sequential(nn.Conv2d(1, w1, 3, padding=1), nn.BatchNorm2d(w1), nn.ReLU(), nn.MaxPool2d(2))
        self.block2 = nn.Sequential(nn.Conv2d(w1, w2, 3, padding=1), nn.BatchNorm2d(w2), nn.ReLU(), nn.MaxPool2d(2))
        self.fc = nn.Linear(w2 * 9, CLASSES)

    def forward(self, x):
        return self.fc(self.block2(self.block1(x)).flatten(1))


class FeatureTap:
    """Collects the outputs of the named submodules."""

    def __init__(self, model, names):
        self.maps = defaultdict(list)
        modules = dict(model.named_modules())
        self.handles = [modules[n].register_forward_hook(self._hook(n)) for n in names]

    def _hook(self, name):
        def fn(module, inputs, output):
            self.maps[name].append(output)  # <- culprit
        return fn

    def last(self, name):
        return self.maps[name][-1]

    def close(self):
        for h in self.handles:
            h.remove()


PROTOTYPES = torch.rand(CLASSES, 1, 12, 12)


def batch(n=BATCH):
    y = torch.randint(0, CLASSES, (n,))
    return PROTOTYPES[y] + 0.3 * torch.randn(n, 1, 12, 12), y


@torch.no_grad()
def fit_teacher(teacher, n=512):
    """Random convolutions with a least-squares read-out are good enough as a teacher here."""
    x, y = batch(n)
    feats = teacher.block2(teacher.block1(x)).flatten(1)
    feats = torch.cat([feats, torch.ones(n, 1)], dim=1)
    sol = torch.linalg.lstsq(feats, 6.0 * F.one_hot(y, CLASSES).float()).solution
    teacher.fc.weight.copy_(sol[:-1].t())
    teacher.fc.bias.copy_(sol[-1])


def soft_target_loss(student_logits, teacher_logits, T):
    return F.kl_div(F.log_softmax(student_logits / T, 1), F.softmax(teacher_logits / T, 1),
                    reduction="batchmean") * T * T


def main():
    teacher, student = ConvNet(16, 32), ConvNet(4, 8)
    teacher.requires_grad_(False)
    fit_teacher(teacher)

    hints = ["block1", "block2"]
    teacher_tap = FeatureTap(teacher, hints)
    student_tap = FeatureTap(student, hints)
    regressors = nn.ModuleDict({"block1": nn.Conv2d(4, 16, 1), "block2": nn.Conv2d(8, 32, 1)})
    opt = torch.optim.Adam(list(student.parameters()) + list(regressors.parameters()), lr=3e-3)

    for step in range(STEPS):
        x, y = batch()
        with torch.no_grad():
            t_logits = teacher(x)
        s_logits = student(x)
        hint_loss = sum(F.mse_loss(regressors[n](student_tap.last(n)), teacher_tap.last(n)) for n in hints)
        loss = F.cross_entropy(s_logits, y) + 0.5 * soft_target_loss(s_logits, t_logits, TEMPERATURE) + hint_loss
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            acc = (s_logits.argmax(1) == y).float().mean().item()
            print(f"step {step:3d} loss {loss.item():.4f} hint {hint_loss.item():.4f} acc {acc:.3f}")

    teacher_tap.close()
    student_tap.close()


if __name__ == "__main__":
    main()
