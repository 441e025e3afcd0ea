# gradwatch-corpus: kind=none
# Mean teacher, few labelled bird calls and many unlabelled ones
import copy
import heapq

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(100)
SPECIES = 4
FRAMES = 32
MELS = 12
STEPS = 100
KEEP = 3


def call(kind):
    t = torch.linspace(0, 1, FRAMES)
    centre = 3 + 2 * kind + 2 * torch.sin(6.28 * (kind + 1) * t)
    bins = torch.arange(MELS).float()
    spec = torch.exp(-(bins[:, None] - centre[None, :]) ** 2 / 2)
    return spec + 0.3 * torch.randn(MELS, FRAMES)


def calls(n):
    kinds = torch.randint(0, SPECIES, (n,))
    return torch.stack([call(int(k)) for k in kinds]), kinds


def augment(x):
    shift = int(torch.randint(0, FRAMES, (1,)))
    out = x.roll(shift, dims=2).clone()
    a = int(torch.randint(0, MELS - 2, (1,)))
    out[:, a:a + 2] = 0.0
    return out


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.c1 = nn.Conv1d(MELS, 24, 5, padding=2)
        self.bn = nn.BatchNorm1d(24)
        self.c2 = nn.Conv1d(24, 24, 5, padding=2)
        self.fc = nn.Linear(24, SPECIES)

    def forward(self, x):
        x = F.relu(self.bn(self.c1(x)))
        x = F.relu(self.c2(x))
        return self.fc(x.mean(2))


student = Net()
teacher = copy.deepcopy(student)
teacher.requires_grad_(False)
opt = torch.optim.Adam(student.parameters(), lr=3e-3)
labelled_x, labelled_y = calls(16)
val_x, val_y = calls(64)
best = []


def ema(decay):
    with torch.no_grad():
        for s, t in zip(student.parameters(), teacher.parameters()):
            t.lerp_(s, 1 - decay)
        for s, t in zip(student.buffers(), teacher.buffers()):
            t.copy_(s)


def validate():
    teacher.eval()
    acc = (teacher(val_x).argmax(1) == val_y).float().mean().item()
    teacher.train()
    return acc


for step in range(STEPS):
    unl, _ = calls(16)
    with torch.no_grad():
        target = teacher(augment(unl)).softmax(1)
    sup = F.cross_entropy(student(augment(labelled_x)), labelled_y)
    cons = F.mse_loss(student(augment(unl)).softmax(1), target)
    loss = sup + min(1.0, step / 40) * 5 * cons
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema(min(0.95, 1 - 1 / (step + 1)))

    if step % 10 == 9:
        acc = validate()
        snapshot = {k: v.clone() for k, v in teacher.state_dict().items()}
        heapq.heappush(best, (acc, step, snapshot))
        if len(best) > KEEP:
            heapq.heappop(best)
        print("step", step, "sup %.3f cons %.4f teacher %.3f" % (sup.item(), cons.item(), acc))

soup = {}
for key in best[0][2]:
    stacked = torch.stack([b[2][key].float() for b in best])
    soup[key] = stacked.mean(0)
teacher.load_state_dict(soup)
print("soup of", [b[1] for b in best], "acc", validate())
