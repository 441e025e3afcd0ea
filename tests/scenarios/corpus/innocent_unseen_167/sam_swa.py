# gradwatch-corpus: kind=none
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.optim.swa_utils import SWALR, AveragedModel, update_bn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(42)


class SAM(torch.optim.Optimizer):
    def __init__(self, params, base_optimizer, rho=0.05, **kwargs):
        super().__init__(params, dict(rho=rho, **kwargs))
        self.base_optimizer = base_optimizer(self.param_groups, **kwargs)
        self.param_groups = self.base_optimizer.param_groups

    @torch.no_grad()
    def first_step(self, zero_grad=False):
        grad_norm = torch.norm(torch.stack([p.grad.norm(p=2) for g in self.param_groups
                                            for p in g["params"] if p.grad is not None]), p=2)
        for group in self.param_groups:
            scale = group["rho"] / (grad_norm + 1e-12)
            for p in group["params"]:
                if p.grad is None:
                    continue
                self.state[p]["old_p"] = p.data.clone()
                p.add_(p.grad * scale)
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def second_step(self, zero_grad=False):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.data = self.state[p]["old_p"]
        self.base_optimizer.step()
        if zero_grad:
            self.zero_grad()

    @torch.no_grad()
    def step(self, closure):
        closure = torch.enable_grad()(closure)
        self.first_step(zero_grad=True)
        closure()
        self.second_step()


class WideNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.bn, self.fc2 = nn.Linear(10, 64), nn.BatchNorm1d(64), nn.Linear(64, 3)

    def forward(self, x):
        return self.fc2(F.relu(self.bn(self.fc1(x))))


def smooth_crossentropy(pred, gold, smoothing=0.1):
    return F.cross_entropy(pred, gold, label_smoothing=smoothing)


y = torch.randint(0, 3, (900,))
x = torch.randn(3, 10)[y] + torch.randn(900, 10)
train = DataLoader(TensorDataset(x[:720], y[:720]), batch_size=24, shuffle=True)
test_x, test_y = x[720:], y[720:]
model = WideNet()
optimizer = SAM(model.parameters(), torch.optim.SGD, rho=0.05, lr=0.05, momentum=0.9)
swa_model = AveragedModel(model)
swa_scheduler = SWALR(optimizer.base_optimizer, swa_lr=0.02, anneal_epochs=2)
best_acc, best_state = 0.0, None
for epoch in range(5):
    model.train()
    running = 0.0
    for xb, yb in train:
        loss = smooth_crossentropy(model(xb), yb)
        loss.backward()
        optimizer.first_step(zero_grad=True)
        smooth_crossentropy(model(xb), yb).backward()
        optimizer.second_step(zero_grad=True)
        running += loss.item()
    if epoch >= 2:
        swa_model.update_parameters(model)
        swa_scheduler.step()
    model.eval()
    with torch.no_grad():
        acc = (model(test_x).argmax(1) == test_y).float().mean().item()
    if acc > best_acc:
        best_acc, best_state = acc, copy.deepcopy(model.state_dict())
    print(f"epoch {epoch} loss {running / len(train):.3f} acc {acc:.3f}")
update_bn(train, swa_model)
swa_model.eval()
with torch.no_grad():
    print(f"best {best_acc:.3f} swa {(swa_model(test_x).argmax(1) == test_y).float().mean().item():.3f}")
