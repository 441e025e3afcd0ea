# gradwatch-corpus: kind=crashed
# holder: weights | averaged | loss
# first-bad: 80
# notice: 0
# Corrosion depth regression; a warm phase on live weights, then a polishing phase that starts from their running mean.
import torch
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)
torch.manual_seed(29)

net = nn.Sequential(nn.Linear(5, 12), nn.Softsign(), nn.Linear(12, 1))


def coupons(n=18):
    x = torch.rand(n, 5)
    return x, (x[:, :1] * x[:, 1:2] + 0.4 * x[:, 2:3].sqrt())


class RunningMean:
    def __init__(self):
        self.n, self.mean = 0, None

    def update(self, named):
        snap = {k: v.detach() for k, v in named}
        self.n += 1
        if self.mean is None:
            self.mean = {k: v.clone() for k, v in snap.items()}
        else:
            for k, v in snap.items():
                self.mean[k] += (v - self.mean[k]) / self.n


def phase(weights, opt, steps, after=None):
    for i in range(steps):
        x, depth = coupons()
        loss = nn.functional.l1_loss(functional_call(net, weights, (x,)), depth)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if after:
            after()
    return loss.item()


mean = RunningMean()
live = dict(net.named_parameters())
print("warm", phase(live, torch.optim.Adam(live.values(), lr=5e-3), 80, lambda: mean.update(net.named_parameters())))
averaged = {k: v.clone() for k, v in mean.mean.items()}  # <- culprit
print("polish", phase(averaged, torch.optim.SGD(averaged.values(), lr=1e-3), 200))
