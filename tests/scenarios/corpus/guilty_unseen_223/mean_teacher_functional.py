# gradwatch-corpus: kind=graph-chain
# holder: teacher
# first-bad: 1
import argparse
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=120)
parser.add_argument("--ema", type=float, default=0.97)
parser.add_argument("--lr", type=float, default=0.05)
parser.add_argument("--weight", type=float, default=2.0)
parser.add_argument("--rampup", type=int, default=40)
args = parser.parse_args()

torch.manual_seed(3)


class SmallConv(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.c1 = nn.Conv1d(1, 12, 5, padding=2)
        self.c2 = nn.Conv1d(12, 16, 5, stride=2, padding=2)
        self.fc = nn.Linear(16, n_classes)

    def forward(self, x):
        x = F.leaky_relu(self.c1(x), 0.1)
        x = F.leaky_relu(self.c2(x), 0.1)
        return self.fc(x.mean(-1))


def make_signals(n):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 6.28, 48)
    x = torch.sin((y[:, None] + 1) * t + torch.rand(n, 1))
    return x.unsqueeze(1) + 0.3 * torch.randn(n, 1, 48), y


def augment(x):
    shift = int(torch.randint(-4, 5, (1,)))
    return x.roll(shift, -1) + 0.1 * torch.randn_like(x)


def ema_update(teacher, student, decay):
    updated = {}
    for name, p in student.named_parameters():
        updated[name] = torch.lerp(teacher[name], p, 1.0 - decay)  # <- culprit
    return updated


def sigmoid_rampup(step):
    if step >= args.rampup:
        return 1.0
    phase = 1.0 - step / args.rampup
    return float(torch.exp(torch.tensor(-5.0 * phase * phase)))


student = SmallConv()
teacher = {k: v.detach().clone() for k, v in student.named_parameters()}
optimizer = torch.optim.SGD(student.parameters(), lr=args.lr, momentum=0.9, nesterov=True)

for step in range(args.steps):
    xl, yl = make_signals(16)
    xu, _ = make_signals(32)

    logits = student(augment(xl))
    ce = F.cross_entropy(logits, yl)

    p_student = F.softmax(student(augment(xu)), dim=1)
    p_teacher = F.softmax(functional_call(student, teacher, (augment(xu),)), dim=1)  # <- culprit
    consistency = F.mse_loss(p_student, p_teacher)

    loss = ce + args.weight * sigmoid_rampup(step) * consistency
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()

    teacher = ema_update(teacher, student, args.ema)  # <- culprit

    if (step + 1) % 40 == 0:
        with torch.no_grad():
            x, y = make_signals(128)
            acc = (functional_call(student, teacher, (x,)).argmax(1) == y).float().mean()
        print("step", step + 1, "ce %.3f cons %.4f acc %.3f" % (ce.item(), consistency.item(), acc))
