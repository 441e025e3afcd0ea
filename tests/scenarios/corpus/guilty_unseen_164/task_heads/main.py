# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | head.smoothed | heads[name].smoothed | self.heads[name].smoothed
# first-bad: 1
# notice: 8
import torch
from torch import nn

from heads import HEADS

torch.set_num_threads(1)
torch.manual_seed(31)


class Net(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(9, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.heads = nn.ModuleDict({name: cls(width) for name, cls in HEADS.items()})

    def forward(self, x, targets):
        shared = self.trunk(x)
        weighted, raw = {}, {}
        for name, head in self.heads.items():
            weighted[name], value = head(shared, targets[name])
            raw[name] = value.item()
        return weighted, raw


def scenes(steps, n=24):
    mix = torch.randn(9, 7)
    for _ in range(steps):
        x = torch.randn(n, 9)
        z = x @ mix
        yield x, {"angle": z[:, :2], "depth": z[:, 2:3].abs(), "label": z[:, 3:].argmax(1)}


def main():
    net = Net()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step, (x, targets) in enumerate(scenes(80)):
        weighted, raw = net(x, targets)
        loss = sum(weighted.values())
        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()
        if step % 20 == 19:
            print(step, " ".join(f"{k}={v:.3f}" for k, v in raw.items()))


if __name__ == "__main__":
    main()
