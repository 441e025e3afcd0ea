# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import argparse

import torch
import torch.nn as nn
import torch.optim as optim

parser = argparse.ArgumentParser("ODE demo")
parser.add_argument("--method", choices=["euler", "midpoint", "rk4"], default="rk4")
parser.add_argument("--data_size", type=int, default=120)
parser.add_argument("--batch_time", type=int, default=6)
parser.add_argument("--batch_size", type=int, default=12)
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--iters", type=int, default=20)
parser.add_argument("--lr", type=float, default=1e-3)
args = parser.parse_args()
torch.set_num_threads(1)
torch.manual_seed(10)

true_y0 = torch.tensor([[2.0, 0.0]])
true_A = torch.tensor([[-0.1, 2.0], [-2.0, -0.1]])
t = torch.linspace(0.0, 12.0, args.data_size)


def euler_step(f, t, dt, y):
    return dt * f(t, y)


def midpoint_step(f, t, dt, y):
    return dt * f(t + dt / 2, y + dt / 2 * f(t, y))


def rk4_step(f, t, dt, y):
    k1 = f(t, y)
    k2 = f(t + dt / 2, y + dt * k1 / 2)
    k3 = f(t + dt / 2, y + dt * k2 / 2)
    k4 = f(t + dt, y + dt * k3)
    return dt * (k1 + 2 * k2 + 2 * k3 + k4) / 6


STEPPERS = {"euler": euler_step, "midpoint": midpoint_step, "rk4": rk4_step}


def odeint(func, y0, t, method="rk4"):
    ys, step = [y0], STEPPERS[method]
    for t0, t1 in zip(t[:-1], t[1:]):
        ys.append(ys[-1] + step(func, t0, t1 - t0, ys[-1]))
    return torch.stack(ys)


class Lambda(nn.Module):
    def forward(self, t, y):
        return torch.mm(y ** 3, true_A)


class ODEFunc(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.nfe = 0
        self.net = nn.Sequential(nn.Linear(2, hidden), nn.Tanh(), nn.Linear(hidden, 2))
        for m in self.net.modules():
            if isinstance(m, nn.Linear):
                nn.init.normal_(m.weight, mean=0, std=0.1)
                nn.init.constant_(m.bias, val=0)

    def forward(self, t, y):
        self.nfe += 1
        return self.net(y ** 3)


class RunningAverageMeter:
    def __init__(self, momentum=0.97):
        self.momentum, self.val, self.avg = momentum, None, 0.0

    def update(self, val):
        self.avg = val if self.val is None else self.avg * self.momentum + val * (1 - self.momentum)
        self.val = val


with torch.no_grad():
    true_y = odeint(Lambda(), true_y0, t)


def get_batch():
    s = torch.randint(0, args.data_size - args.batch_time, (args.batch_size,))
    batch_y = torch.stack([true_y[s + i] for i in range(args.batch_time)], dim=0)
    return true_y[s], t[:args.batch_time], batch_y


def run_epoch(func, optimizer, meter):
    optimizer.zero_grad()  # <- culprit
    for _ in range(args.iters):
        batch_y0, batch_t, batch_y = get_batch()
        pred_y = odeint(func, batch_y0, batch_t, args.method)
        loss = torch.mean(torch.abs(pred_y - batch_y))
        loss.backward()
        optimizer.step()  # <- culprit
        meter.update(loss.item())


if __name__ == "__main__":
    func = ODEFunc()
    optimizer = optim.RMSprop(func.parameters(), lr=args.lr)
    loss_meter = RunningAverageMeter()
    for epoch in range(1, args.epochs + 1):
        run_epoch(func, optimizer, loss_meter)
        with torch.no_grad():
            pred_y = odeint(func, true_y0, t, args.method)
            total = torch.mean(torch.abs(pred_y - true_y)).item()
        print(f"Epoch {epoch:02d} | Running {loss_meter.avg:.4f} | Total Loss {total:.6f} | NFE {func.nfe}")
