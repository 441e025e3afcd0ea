# gradwatch-corpus: kind=graph-chain
# holder: self.center | criterion.center
# first-bad: 1
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
N_STEPS = 400
OUT = 24
MOMENTUM = 0.99


def mlp():
    return nn.Sequential(nn.Linear(32, 48), nn.GELU(), nn.Linear(48, OUT))


class DINOLoss(nn.Module):
    def __init__(self, out_dim, t_student=0.1, t_teacher=0.05, center_momentum=0.9):
        super().__init__()
        self.ts, self.tt, self.cm = t_student, t_teacher, center_momentum
        self.center = torch.zeros(1, out_dim)

    def forward(self, s_out, t_out, epoch_frac):
        tt = self.tt + 0.02 * epoch_frac
        s = [F.log_softmax(o / self.ts, -1) for o in s_out]
        t = [F.softmax((o - self.center) / tt, -1) for o in t_out]
        total, n = 0.0, 0
        for i, q in enumerate(t):
            for j, p in enumerate(s):
                if i == j:
                    continue
                total = total + (-q * p).sum(-1).mean()
                n += 1
        self.update_center(t_out)
        return total / n

    def update_center(self, t_out):
        batch_center = torch.cat(t_out).mean(0, keepdim=True)
        self.center = self.center * self.cm + batch_center * (1 - self.cm)  # <- culprit


def augment(x):
    mask = (torch.rand_like(x) > 0.2).float()
    return x * mask + 0.1 * torch.randn_like(x)


proto = torch.randn(10, 32)
student = mlp()
teacher = copy.deepcopy(student)
criterion = DINOLoss(OUT)
optimizer = torch.optim.AdamW(student.parameters(), lr=5e-4, weight_decay=0.04)


def ema_update():
    for ps, pt in zip(student.parameters(), teacher.parameters()):
        pt.data.mul_(MOMENTUM).add_(ps.data, alpha=1 - MOMENTUM)
        pt.grad = None


for it in range(N_STEPS):
    x = proto[torch.randint(10, (16,))] + 0.3 * torch.randn(16, 32)
    v1, v2, v3 = augment(x), augment(x), augment(x)
    s_out = [student(v) for v in (v1, v2, v3)]
    t_out = [teacher(v) for v in (v1, v2)]
    loss = criterion(s_out, t_out, it / N_STEPS)
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    nn.utils.clip_grad_norm_(student.parameters(), 3.0)
    optimizer.step()
    ema_update()
    if it % 50 == 0:
        ent = F.softmax(t_out[0].detach(), -1)
        ent = -(ent * ent.log()).sum(-1).mean().item()
        print(f"iter {it:4d} loss {loss.item():.4f} teacher entropy {ent:.3f}")
