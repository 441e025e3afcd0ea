# gradwatch-corpus: kind=memory-climb
# holder: ema.track | self.track
# first-bad: 1
# notice: 60
import torch

torch.set_num_threads(1)
from torch import nn


class ScoreNet(nn.Module):
    def __init__(self, hid=176):
        super().__init__()
        self.inp = nn.Linear(3, hid)
        self.mid = nn.Linear(hid, hid)
        self.out = nn.Linear(hid, 2)

    def forward(self, x, sigma):
        h = torch.nn.functional.silu(self.inp(torch.cat([x, sigma.log()], 1)))
        h = torch.nn.functional.silu(self.mid(h))
        return self.out(h) / sigma


class EMA:
    """Shadow weights; the averaged copy is used for sampling."""

    def __init__(self, net, decay=0.995):
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in net.named_parameters()}
        self.track = []

    @torch.no_grad()
    def update(self, net):
        for k, v in net.named_parameters():
            self.shadow[k].mul_(self.decay).add_(v, alpha=1 - self.decay)
        self.track.append({k: v.clone() for k, v in self.shadow.items()})  # <- culprit

    def drift(self, span):
        a, b = self.track[-1], self.track[max(0, len(self.track) - span)]
        return sum((a[k] - b[k]).pow(2).sum().item() for k in a) ** 0.5


def swiss_roll(n):
    t = 1.5 * torch.pi * (1 + 2 * torch.rand(n, 1))
    return torch.cat([t * t.cos(), t * t.sin()], 1) / 8 + 0.02 * torch.randn(n, 2)


def dsm_loss(net, x):
    sigma = torch.exp(torch.empty(len(x), 1).uniform_(-3, 0.5))
    noise = torch.randn_like(x)
    return ((sigma * net(x + sigma * noise, sigma) + noise) ** 2).sum(1).mean()


torch.manual_seed(77)
net = ScoreNet()
ema = EMA(net)
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
for it in range(700):
    loss = dsm_loss(net, swiss_roll(32))
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    ema.update(net)
    if it % 100 == 99:
        print(f"{it + 1:4d} dsm {loss.item():.3f} ema drift {ema.drift(50):.4f}")
