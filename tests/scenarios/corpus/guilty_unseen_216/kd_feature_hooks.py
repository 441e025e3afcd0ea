# gradwatch-corpus: kind=graph-held
# holder: self.store | student_tap.store | self.tap_s.store | kd.tap_s.store
# first-bad: 1
import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_bn(cin, cout, stride=1):
    return nn.Sequential(nn.Conv2d(cin, cout, 3, stride, 1, bias=False), nn.BatchNorm2d(cout), nn.ReLU())


class TinyNet(nn.Module):
    def __init__(self, widths, num_classes=5):
        super().__init__()
        self.stage1 = conv_bn(1, widths[0])
        self.stage2 = conv_bn(widths[0], widths[1], 2)
        self.stage3 = conv_bn(widths[1], widths[2], 2)
        self.fc = nn.Linear(widths[2], num_classes)

    def forward(self, x):
        x = self.stage3(self.stage2(self.stage1(x)))
        return self.fc(x.mean((2, 3)))


class FeatureTap:
    """Collect intermediate activations of the named submodules."""

    def __init__(self, model, names):
        self.names = names
        self.store = {n: [] for n in names}
        self.handles = []
        modules = dict(model.named_modules())
        for n in names:
            self.handles.append(modules[n].register_forward_hook(self._make_hook(n)))

    def _make_hook(self, name):
        def hook(module, inputs, output):
            self.store[name].append(output)  # <- culprit
        return hook

    def latest(self):
        return [self.store[n][-1] for n in self.names]

    def close(self):
        for h in self.handles:
            h.remove()


class AttentionKD(nn.Module):
    def __init__(self, teacher, student, names, T=4.0, beta=50.0):
        super().__init__()
        self.teacher, self.student = teacher, student
        self.tap_t = FeatureTap(teacher, names)
        self.tap_s = FeatureTap(student, names)
        self.T, self.beta = T, beta

    @staticmethod
    def att(f):
        return F.normalize(f.pow(2).mean(1).flatten(1), dim=1)

    def forward(self, x, y):
        with torch.no_grad():
            t_logits = self.teacher(x)
        s_logits = self.student(x)
        ce = F.cross_entropy(s_logits, y)
        kl = F.kl_div(F.log_softmax(s_logits / self.T, 1), F.softmax(t_logits / self.T, 1), reduction="batchmean") * self.T ** 2
        at = sum((self.att(a) - self.att(b)).pow(2).mean() for a, b in zip(self.tap_s.latest(), self.tap_t.latest()))
        return 0.5 * ce + 0.5 * kl + self.beta * at, s_logits


def synth_batch(n, g):
    y = torch.randint(0, 5, (n,), generator=g)
    t = torch.linspace(0, 2 * math.pi, 16)
    ang = y.float() * math.pi / 5
    grid = torch.cos(ang)[:, None, None] * t[None, :, None] + torch.sin(ang)[:, None, None] * t[None, None, :]
    return torch.sin(3 * grid).unsqueeze(1) + 0.3 * torch.randn(n, 1, 16, 16, generator=g), y




def main():
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(1)
    teacher, student = TinyNet((12, 24, 32)), TinyNet((4, 8, 12))
    for p in teacher.parameters():
        p.requires_grad_(False)
    teacher.eval()

    kd = AttentionKD(teacher, student, ["stage2", "stage3"])
    opt = torch.optim.SGD(student.parameters(), lr=0.05, momentum=0.9)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 100)
    for it in range(100):
        x, y = synth_batch(32, g)
        loss, logits = kd(x, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if it % 25 == 24:
            acc = (logits.argmax(1) == y).float().mean().item()
            print(f"[{it + 1}] loss={loss.item():.3f} acc={acc:.2f}")
    kd.tap_t.close()
    kd.tap_s.close()


if __name__ == "__main__":
    main()
