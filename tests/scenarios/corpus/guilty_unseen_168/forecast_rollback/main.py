# gradwatch-corpus: kind=memory-climb
# holder: self.restore_points | guard.restore_points
"""Load forecasting with a guard that goes back to the best weights after a loss spike."""
import torch
from torch import nn

from guard import SpikeGuard
from series import windows

torch.set_num_threads(1)
torch.manual_seed(1)


class Forecaster(nn.Module):
    def __init__(self, context=96, horizon=24, width=400):
        super().__init__()
        self.inp = nn.Linear(context, width)
        self.mid = nn.Linear(width, width)
        self.out = nn.Linear(width, horizon)
        self.norm = nn.LayerNorm(width)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        h = h + torch.relu(self.mid(self.norm(h)))
        return self.out(h)


def main():
    net = Forecaster()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    guard = SpikeGuard(net, ratio=2.5)
    lossfn = nn.SmoothL1Loss()
    for step, (past, future) in enumerate(windows(steps=100)):
        loss = lossfn(net(past), future)
        opt.zero_grad()
        loss.backward()
        opt.step()
        guard.observe(step, loss.item())
        if step % 20 == 0:
            print(f"step {step} loss {loss.item():.4f} rollbacks {guard.rollbacks}")


if __name__ == "__main__":
    main()
