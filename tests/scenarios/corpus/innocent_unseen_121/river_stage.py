# gradwatch-corpus: kind=none
"""River stage downstream from rainfall and upstream stage, GRU."""
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(8)

LOOK = 6


def catchment(n, steps=12):
    rain = torch.relu(torch.randn(n, steps))
    up = torch.zeros(n, steps)
    for t in range(1, steps):
        up[:, t] = 0.7 * up[:, t - 1] + 0.3 * rain[:, t - 1]
    down = 0.6 * up[:, -3] + 0.3 * up[:, -1] ** 2
    return torch.stack([rain, up], -1), down


class Stage(nn.Module):
    def __init__(self):
        super().__init__()
        self.gru = nn.GRU(2, 10, batch_first=True)
        self.read = nn.Linear(10, 1)

    def forward(self, seq):
        _, h = self.gru(seq)
        return self.read(h[-1]).squeeze(-1)


def main():
    net = Stage()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.MultiplicativeLR(opt, lambda _: 0.9)
    check_x, check_y = catchment(40)
    tail = deque(maxlen=LOOK)
    cuts = 0
    for step in range(900):
        x, y = catchment(16)
        opt.zero_grad()
        loss = nn.functional.mse_loss(net(x), y)
        loss.backward()
        opt.step()
        if step % 5 == 0:
            tail.append(nn.functional.mse_loss(net(check_x), check_y))
            if len(tail) == LOOK and step % 30 == 0:
                older, newer = torch.stack(list(tail)).chunk(2)
                if newer.mean() > older.mean():
                    sched.step()
                    cuts += 1
    print(f"last checks {[round(v.item(), 4) for v in tail]}, {cuts} rate cuts")


if __name__ == "__main__":
    main()
