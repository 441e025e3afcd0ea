# gradwatch-corpus: kind=graph-held
# holder: self.outputs | taps.outputs | student_taps.outputs | self.outputs[name]
# first-bad: 1
import torch
import torch.nn as nn
import torch.nn.functional as F
from collections import defaultdict

T = 3.0
ALPHA = 0.6
HINT_LAYERS = ("stage1", "stage2")


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.stem = nn.Linear(20, width)
        self.stage1 = nn.Sequential(nn.ReLU(), nn.Linear(width, width))
        self.stage2 = nn.Sequential(nn.ReLU(), nn.Linear(width, width))
        self.fc = nn.Linear(width, 6)

    def forward(self, x):
        return self.fc(F.relu(self.stage2(self.stage1(self.stem(x)))))


class LayerTaps:
    """Records what named children of a network put out."""

    def __init__(self, net, names):
        self.outputs = defaultdict(list)
        self.handles = [getattr(net, n).register_forward_hook(self._tap(n)) for n in names]

    def _tap(self, name):
        def hook(module, args, out):
            self.outputs[name].append(out)  # <- culprit
        return hook

    def latest(self, name):
        return self.outputs[name][-1]

    def close(self):
        for h in self.handles:
            h.remove()


def make_blobs(n, seed):
    g = torch.Generator().manual_seed(seed)
    centres = torch.randn(6, 20, generator=g) * 1.5
    y = torch.randint(6, (n,), generator=g)
    return centres[y] + torch.randn(n, 20, generator=g), y


@torch.no_grad()
def fit_teacher(x, y):
    """A wide random network whose read-out is solved by least squares."""
    net = Net(64).eval().requires_grad_(False)
    h = F.relu(net.stage2(net.stage1(net.stem(x))))
    h = torch.cat([h, torch.ones(len(h), 1)], 1)
    target = 8 * F.one_hot(y, 6).float() - 4
    w = torch.linalg.lstsq(h, target).solution
    net.fc.weight.copy_(w[:-1].t())
    net.fc.bias.copy_(w[-1])
    return net


class Hint(nn.Module):
    def __init__(self, small, big):
        super().__init__()
        self.maps = nn.ModuleDict({n: nn.Linear(small, big) for n in HINT_LAYERS})

    def forward(self, ours, theirs):
        return sum(F.mse_loss(self.maps[n](ours.latest(n)), theirs[n]) for n in HINT_LAYERS)


def teacher_pass(teacher, x):
    with torch.no_grad():
        h = teacher.stem(x)
        s1 = teacher.stage1(h)
        s2 = teacher.stage2(s1)
        return teacher.fc(F.relu(s2)), {"stage1": s1, "stage2": s2}


def kd_loss(student_logits, teacher_logits, y):
    soft = F.kl_div(F.log_softmax(student_logits / T, 1), F.softmax(teacher_logits / T, 1),
                    reduction="batchmean") * T * T
    return ALPHA * soft + (1 - ALPHA) * F.cross_entropy(student_logits, y)


def main():
    torch.manual_seed(0)
    x, y = make_blobs(2000, 8)
    teacher = fit_teacher(x, y)
    student, hint = Net(16), Hint(16, 64)
    student_taps = LayerTaps(student, HINT_LAYERS)
    opt = torch.optim.Adam([*student.parameters(), *hint.parameters()], 2e-3)
    for step in range(440):
        j = torch.randint(len(x), (32,))
        t_logits, t_feats = teacher_pass(teacher, x[j])
        logits = student(x[j])
        loss = kd_loss(logits, t_logits, y[j]) + 0.1 * hint(student_taps, t_feats)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 110 == 0:
            acc = (logits.argmax(1) == y[j]).float().mean().item()
            print(step, round(loss.item(), 4), acc)
    student_taps.close()


if __name__ == "__main__":
    main()
