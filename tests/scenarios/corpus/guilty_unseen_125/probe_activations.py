# gradwatch-corpus: kind=graph-held
# holder: taps | taps[name] | tap.taps | net._taps
# first-bad: 1
# notice: 8
import collections
import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(0)


def attach_probes(net, which):
    taps = collections.defaultdict(list)

    def make(name):
        def hook(mod, inp, out):
            taps[name].append(out.mean(0))  # <- culprit
        return hook

    handles = [m.register_forward_hook(make(n)) for n, m in net.named_modules() if n in which]
    return taps, handles


class Highway(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.h, self.t = nn.Linear(d, d), nn.Linear(d, d)

    def forward(self, x):
        g = torch.sigmoid(self.t(x))
        return g * torch.tanh(self.h(x)) + (1 - g) * x


net = nn.Sequential(nn.Linear(9, 16), Highway(16), Highway(16), nn.Linear(16, 2))
taps, handles = attach_probes(net, {"1", "2"})
optim = torch.optim.Adagrad(net.parameters(), lr=0.05)
W = torch.randn(9, 2)


def dead_units(layer):
    recent = torch.stack(taps[layer][-10:])
    return int((recent.std(0) < 1e-3).sum())


for it in range(300):
    x = torch.randn(12, 9)
    err = (net(x) - torch.sin(x @ W)).square().mean()
    optim.zero_grad()
    err.backward()
    optim.step()
    if it % 100 == 99:
        print(it, round(err.item(), 4), {k: dead_units(k) for k in list(taps)})
for h in handles:
    h.remove()
