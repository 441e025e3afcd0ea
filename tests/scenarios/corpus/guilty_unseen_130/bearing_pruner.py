# gradwatch-corpus: kind=inplace-modified
# holder: layer.weight | net[2].weight
# first-bad: 159
# notice: 0
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(27)


class MagnitudePruner:
    def __init__(self, net, begin, end, every, final):
        self.layers = [m for m in net if isinstance(m, nn.Linear)][:-1]
        self.begin, self.end, self.every, self.final = begin, end, every, final
        self.t = 0

    def share(self):
        f = min(max((self.t - self.begin) / (self.end - self.begin), 0.0), 1.0)
        return self.final * (1 - (1 - f) ** 3)

    @torch.no_grad()
    def tick(self):
        self.t += 1
        if self.t < self.begin or self.t % self.every:
            return
        for layer in self.layers:
            size = layer.weight.abs()
            k = int(self.share() * size.numel())
            if k:
                cut = size.flatten().kthvalue(k).values
                layer.weight.mul_(size > cut)  # <- culprit


def vibration(n=20):
    fault = torch.randint(0, 4, (n,))
    t = torch.arange(32) / 32
    sig = torch.sin(6.28 * t * (fault[:, None] + 2)) + 0.3 * torch.randn(n, 32)
    return torch.fft.rfft(sig).abs(), fault


net = nn.Sequential(nn.Linear(17, 32), nn.ReLU(), nn.Linear(32, 32), nn.ReLU(), nn.Linear(32, 4))
opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
pruner = MagnitudePruner(net, begin=150, end=500, every=10, final=0.8)
for step in range(700):
    spec, fault = vibration()
    loss = nn.functional.cross_entropy(net(spec), fault)
    pruner.tick()  # <- culprit
    opt.zero_grad()
    loss.backward()
    opt.step()
    if step % 50 == 0:
        print(step, loss.item())
