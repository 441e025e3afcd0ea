# gradwatch-corpus: kind=second-backward
# holder: self.cache | hints.cache
# first-bad: 12
"""FitNets-style hint distillation: the teacher's features pass a trainable regressor."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(30)


class Teacher(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 96), nn.ReLU(), nn.Linear(96, 64), nn.ReLU())
        self.head = nn.Linear(64, 5)

    def forward(self, x):
        f = self.body(x)
        return f, self.head(f)


class Student(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(16, 24), nn.ReLU())
        self.head = nn.Linear(24, 5)

    def forward(self, x):
        f = self.body(x)
        return f, self.head(f)


class TeacherHints(nn.Module):
    """Runs the frozen teacher once per batch and remembers what it said."""

    def __init__(self, teacher):
        super().__init__()
        self.teacher = teacher.eval()
        for p in self.teacher.parameters():
            p.requires_grad_(False)
        self.regressor = nn.Sequential(nn.Linear(64, 24), nn.ReLU())
        self.cache = {}

    def forward(self, key, x):
        if key not in self.cache:
            feat, logits = self.teacher(x)
            self.cache[key] = (self.regressor(feat), logits)  # <- culprit
        return self.cache[key]


def kd(student_logits, teacher_logits, T=3.0):
    return T * T * F.kl_div(F.log_softmax(student_logits / T, 1), F.softmax(teacher_logits / T, 1), reduction="batchmean")


def fit_head(teacher, x, y):
    idx = torch.randperm(len(x))[:192]
    W = torch.linalg.lstsq(teacher.body(x[idx]).detach(), F.one_hot(y[idx], 5).float()).solution
    with torch.no_grad():
        teacher.head.weight.copy_(W.t())
        teacher.head.bias.zero_()


x = torch.randn(384, 16)
y = (x @ torch.randn(16, 5)).argmax(1)
teacher = Teacher()
fit_head(teacher, x, y)
batches = list(zip(x.split(32), y.split(32)))

student = Student()
hints = TeacherHints(teacher)
opt = torch.optim.Adam([*student.parameters(), *hints.regressor.parameters()], lr=3e-3)
for epoch in range(8):
    running = 0.0
    for b, (xb, yb) in enumerate(batches):
        sf, sl = student(xb)
        hint, tl = hints(b, xb)
        loss = F.cross_entropy(sl, yb) + kd(sl, tl) + 0.1 * F.mse_loss(sf, hint)
        opt.zero_grad()
        loss.backward()
        opt.step()
        running += loss.item()
    print("epoch", epoch, "loss %.4f" % (running / len(batches)))
