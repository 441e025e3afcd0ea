# gradwatch-corpus: kind=none
"""Online segmentation with an EMA teacher; a monitor looks at losses that are still alive."""
import copy
import weakref

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)


class Monitor:
    def __init__(self):
        self.alive = weakref.WeakValueDictionary()
        self.values = {}

    def __setitem__(self, step, loss):
        self.alive[step] = loss
        self.values[step] = float(loss.detach())

    def mean(self, last):
        return sum(list(self.values.values())[-last:]) / last


class Ema:
    def __init__(self, net, decay):
        self.net, self.decay = copy.deepcopy(net).eval(), decay
        for p in self.net.parameters():
            p.requires_grad = False

    def follow(self, net):
        new = net.state_dict()
        self.net.load_state_dict({k: self.decay * v + (1 - self.decay) * new[k]
                                  for k, v in self.net.state_dict().items()})


def signal(n=8, length=40):
    cut = torch.rand(n, 1) * length
    y = (torch.arange(length) > cut).float()
    return (y + 0.5 * torch.randn(n, length)).unsqueeze(1), y


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Conv1d(1, 10, 7, padding=3), nn.ReLU(), nn.Conv1d(10, 1, 7, padding=3), nn.Flatten())
    ema, monitor = Ema(net, 0.95), Monitor()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for step in range(130):
        (x, y), (u, _) = signal(), signal()
        soft = torch.sigmoid(ema.net(u))
        sure = ((soft - 0.5).abs() > 0.3).float()
        loss = F.binary_cross_entropy_with_logits(net(x), y)
        loss = loss + 0.3 * (F.binary_cross_entropy_with_logits(net(u), soft, reduction="none") * sure).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ema.follow(net)
        monitor[step] = loss
        if step % 26 == 25:
            print(f"step {step} loss {monitor.mean(26):.4f} alive {len(monitor.alive)}")


if __name__ == "__main__":
    main()
