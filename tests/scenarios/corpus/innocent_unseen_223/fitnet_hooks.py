# gradwatch-corpus: kind=none
# FitNets / attention-transfer distillation with forward hooks
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(90)


def make_net(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, width * 2, 3, padding=1),
        nn.ReLU(),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(width * 2, 3),
    )


class Tap:
    def __init__(self, net, layers):
        self.store = []
        self.handles = [net[i].register_forward_hook(self.hook) for i in layers]

    def hook(self, module, args, out):
        self.store.append(out)

    def take(self):
        feats = list(self.store)
        self.store.clear()
        return feats

    def remove(self):
        while self.handles:
            self.handles.pop().remove()


def images(n):
    y = torch.randint(0, 3, (n,))
    x = 0.3 * torch.randn(n, 1, 12, 12)
    for k in range(n):
        p = int(torch.randint(1, 11, (1,)))
        if y[k] == 0:
            x[k, 0, p, :] += 1.5
        elif y[k] == 1:
            x[k, 0, :, p] += 1.5
        else:
            x[k, 0].diagonal().add_(1.5)
    return x, y


def attention(f):
    return F.normalize(f.pow(2).mean(1).flatten(1))


def pretrain(net, n):
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for _ in range(n):
        x, y = images(32)
        opt.zero_grad()
        F.cross_entropy(net(x), y).backward()
        opt.step()


teacher = make_net(12)
pretrain(teacher, 60)
teacher.eval()
for p in teacher.parameters():
    p.requires_grad_(False)

student = make_net(4)
tap_t = Tap(teacher, [1, 4])
tap_s = Tap(student, [1, 4])
opt = torch.optim.SGD(student.parameters(), lr=0.1, momentum=0.9)
temperature = 3.0
log = {"kd": [], "at": []}

for it in range(90):
    x, y = images(24)
    t_logits = teacher(x)
    s_logits = student(x)
    kd = F.kl_div(
        F.log_softmax(s_logits / temperature, 1),
        F.softmax(t_logits / temperature, 1),
        reduction="batchmean",
    ) * temperature ** 2
    at = 0.0
    for fs, ft in zip(tap_s.take(), tap_t.take()):
        at = at + (attention(fs) - attention(ft)).pow(2).sum(1).mean()
    loss = 0.3 * F.cross_entropy(s_logits, y) + kd + 2.0 * at
    opt.zero_grad()
    loss.backward()
    opt.step()
    log["kd"].append(kd.detach())
    log["at"].append(at.detach())
    if (it + 1) % 30 == 0:
        print(it + 1, {k: round(torch.stack(v).mean().item(), 4) for k, v in log.items()})
        for v in log.values():
            v.clear()

tap_t.remove()
tap_s.remove()
student.eval()
with torch.no_grad():
    x, y = images(200)
    print("student acc", (student(x).argmax(1) == y).float().mean().item())
