# gradwatch-corpus: kind=none
import torch
import torch.nn as nn

from adjoint import odeint_adjoint

torch.set_num_threads(1)
torch.manual_seed(0)

true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
T = torch.linspace(0.0, 4.0, 80)
BATCH_TIME, BATCH_SIZE = 6, 12


class Lambda(nn.Module):
    def forward(self, t, y):
        return (y ** 3) @ true_A


class ODEFunc(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
        self.nfe = 0
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, std=0.1)
                nn.init.zeros_(m.bias)

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y ** 3)


class RunningAverageMeter:
    def __init__(self, momentum=0.9):
        self.momentum, self.val, self.avg = momentum, None, 0.0

    def update(self, val):
        self.avg = val if self.val is None else self.avg * self.momentum + val * (1 - self.momentum)
        self.val = val


with torch.no_grad():
    true_y = odeint_adjoint(Lambda(), torch.tensor([[1.5, 0.0]]), T)


def get_batch():
    s = torch.randperm(len(T) - BATCH_TIME)[:BATCH_SIZE]
    batch_y = torch.stack([true_y[s + i, 0] for i in range(BATCH_TIME)])
    return true_y[s, 0], T[:BATCH_TIME], batch_y


func = ODEFunc()
optimizer = torch.optim.RMSprop(func.parameters(), lr=5e-3)
loss_meter = RunningAverageMeter(0.9)
for itr in range(1, 121):
    optimizer.zero_grad()
    y0, t, y = get_batch()
    pred = odeint_adjoint(func, y0, t)
    loss = (pred - y).abs().mean()
    loss.backward()
    optimizer.step()
    loss_meter.update(loss.item())
    if itr % 40 == 0:
        with torch.no_grad():
            full = odeint_adjoint(func, true_y[0], T)
            print(f"iter {itr} loss {loss_meter.avg:.4f} total {(full - true_y).abs().mean().item():.4f} nfe {func.nfe}")
        func.nfe = 0
