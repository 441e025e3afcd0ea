# gradwatch-corpus: kind=none
"""Mean teacher on half-labelled bone x-ray profiles, early stopping with snapshots."""
import copy
from dataclasses import dataclass, field

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(29)


@dataclass
class Stopper:
    patience: int
    best: torch.Tensor = None
    bad: int = 0
    weights: dict = field(default_factory=dict)
    past: list = field(default_factory=list)

    def check(self, score, model):
        self.past.append(score.detach())
        if self.best is None or score < self.best:
            self.best, self.bad = score, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def profiles(n):
    y = torch.randint(0, 2, (n,))
    t = torch.linspace(0, 1, 30)
    centre = 0.3 + 0.4 * torch.rand(n, 1)
    bone = torch.sigmoid((0.15 - (t - centre).abs()) * 40)
    crack = y.unsqueeze(1) * torch.exp(-((t - centre - 0.03) / 0.03) ** 2)
    return bone - 0.7 * crack + 0.25 * torch.randn(n, 30), y


def jitter(x):
    return torch.roll(x, int(torch.randint(-2, 3, ())), 1) + 0.1 * torch.randn_like(x)


def net():
    return nn.Sequential(nn.Unflatten(1, (1, 30)), nn.Conv1d(1, 8, 5), nn.ReLU(), nn.MaxPool1d(2),
                         nn.Conv1d(8, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(88, 2))


student = net()
teacher = copy.deepcopy(student)
opt = torch.optim.SGD(student.parameters(), lr=0.03, momentum=0.9, nesterov=True)
labelled, labels = profiles(150)
unlabelled, _ = profiles(600)
x_val, y_val = profiles(200)
stopper = Stopper(patience=60)


def validate(model):
    # evaluation mode is all that is wanted here
    model.eval()
    score = F.cross_entropy(model(x_val), y_val)
    model.train()
    return score


step = 0
for epoch in range(100):
    ramp = min(1.0, epoch / 40) ** 2
    for _ in range(5):
        i = torch.randint(0, len(labelled), (16,))
        u = torch.randint(0, len(unlabelled), (32,))
        supervised = F.cross_entropy(student(jitter(labelled[i])), labels[i])
        target = teacher(jitter(unlabelled[u])).softmax(1)
        consist = F.mse_loss(student(jitter(unlabelled[u])).softmax(1), target.detach())
        loss = supervised + 4 * ramp * consist
        opt.zero_grad()
        loss.backward()
        opt.step()
        keep = min(0.98, 1 - 1 / (step + 1))
        for pt, ps in zip(teacher.parameters(), student.parameters()):
            pt.data.mul_(keep).add_(ps.data, alpha=1 - keep)
        step += 1
    score = validate(teacher)
    if stopper.check(score, teacher):
        print(f"stopped in epoch {epoch}")
        break
    if epoch % 20 == 19:
        print(f"epoch {epoch} sup {supervised:.3f} cons {consist:.4f} val {score:.4f} best {stopper.best:.4f}")

teacher.load_state_dict(stopper.weights)
print(f"restored {validate(teacher):.4f} after {step} steps, {len(stopper.past)} epochs logged")
