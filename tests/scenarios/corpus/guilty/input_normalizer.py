# gradwatch-corpus: kind=graph-chain
# holder: mean
# about: a running mean in a closure, fed with activations that have a graph
import torch
import torch.nn as nn

torch.manual_seed(0)


def running_centerer(size, momentum=0.05):
    mean = torch.zeros(size)

    def center(h):
        nonlocal mean
        mean = (1 - momentum) * mean + momentum * h.mean(0)  # <- culprit
        return h - mean

    return center


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(10, 6)
        self.center = running_centerer(6)

    def forward(self, x):
        return self.center(self.proj(x)).pow(2).sum(1)


net = Net()
opt = torch.optim.AdamW(net.parameters(), lr=3e-3)
for it in range(60):
    x = torch.randn(32, 10)
    target = x.pow(2).sum(1)
    opt.zero_grad()
    loss = nn.functional.smooth_l1_loss(net(x), target)
    loss.backward(retain_graph=True)
    opt.step()
    if it % 20 == 0:
        print("iter", it, "loss", float(loss))
