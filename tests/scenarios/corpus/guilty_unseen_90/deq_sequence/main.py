# gradwatch-corpus: kind=second-backward
# holder: f0 | out
# first-bad: 60
# notice: 0
"""Deep equilibrium classifier, following the implicit-layers tutorial (chapter 4)."""
import torch
import torch.nn.functional as F

from deq import DEQBlock, InjectedCell
from schedules import StepSchedule


def make_data(n=600, d=10, classes=3):
    centers = torch.randn(classes, d)
    y = torch.randint(classes, (n,))
    x = centers[y] + 0.8 * torch.randn(n, d)
    return torch.cat([x, x[:, :2] * x[:, 2:4]], -1), y


class Net(torch.nn.Module):
    def __init__(self, d_in, hidden, classes, schedule):
        super().__init__()
        self.encode = torch.nn.Linear(d_in, hidden)
        self.deq = DEQBlock(InjectedCell(hidden), schedule)
        self.decode = torch.nn.Linear(hidden, classes)

    def forward(self, x):
        return self.decode(self.deq(self.encode(x)))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(31)
    x, y = make_data()
    # cheap gradients first, more accurate ones later
    schedule = StepSchedule({0: 1, 60: 3, 120: 6})
    net = Net(x.shape[1], 20, 3, schedule)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for it in range(200):
        idx = torch.randint(len(x), (50,))
        loss = F.cross_entropy(net(x[idx]), y[idx])
        opt.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        schedule.tick()
        if it % 20 == 0:
            print(f"it {it} loss {loss.item():.4f} residual {net.deq.residual:.2e}")


if __name__ == "__main__":
    main()
