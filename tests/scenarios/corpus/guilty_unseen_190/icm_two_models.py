# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
# HW5: fit two coupled models, one optimizer each
import torch
import torch.nn as nn


class ForwardModel(nn.Module):
    """(state, action) -> next state"""

    def __init__(self, s, a, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(s + a, h), nn.ELU(), nn.Linear(h, s))

    def forward(self, s, a):
        return s + self.net(torch.cat([s, a], 1))


class InverseModel(nn.Module):
    """(state, next state) -> action"""

    def __init__(self, s, a, h=32):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2 * s, h), nn.ELU(), nn.Linear(h, a))

    def forward(self, s, s2):
        return self.net(torch.cat([s, s2], 1))


def pendulum_batch(n):
    th = (torch.rand(n) * 2 - 1) * 3.14
    om = torch.randn(n)
    u = torch.rand(n) * 2 - 1
    om2 = om + 0.05 * (10 * torch.sin(th) + 3 * u)
    th2 = th + 0.05 * om2
    s = torch.stack([torch.sin(th), torch.cos(th), om], 1)
    s2 = torch.stack([torch.sin(th2), torch.cos(th2), om2], 1)
    return s, u.unsqueeze(1), s2


def main():
    torch.manual_seed(9)
    fwd, inv = ForwardModel(3, 1), InverseModel(3, 1)
    fwd_optim = torch.optim.SGD(fwd.parameters(), lr=1e-3)
    inv_optim = torch.optim.SGD(inv.parameters(), lr=1e-3)
    mse = nn.MSELoss()
    f_avg = i_avg = None

    for it in range(1, 501):
        s, a, s2 = pendulum_batch(64)

        fwd_optim.zero_grad()
        fwd_loss = mse(fwd(s, a), s2)
        fwd_loss.backward()
        fwd_optim.step()

        fwd_optim.zero_grad()  # <- culprit
        inv_loss = mse(inv(s, s2), a)
        inv_loss.backward()
        inv_optim.step()

        f, i = fwd_loss.item(), inv_loss.item()
        f_avg = f if f_avg is None else 0.95 * f_avg + 0.05 * f
        i_avg = i if i_avg is None else 0.95 * i_avg + 0.05 * i
        if it % 100 == 0:
            print(f"{it:5d} forward {f_avg:.4f} inverse {i_avg:.4f}")


if __name__ == "__main__":
    main()
