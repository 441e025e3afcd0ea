# gradwatch-corpus: kind=crashed
# first-bad: 0
# notice: 0
import torch
from torch import nn

from overlap import soft_dice

torch.set_num_threads(1)
torch.manual_seed(9)


def fields(n=6, side=12):
    yy, xx = torch.meshgrid(torch.arange(side), torch.arange(side), indexing="ij")
    cy, cx = torch.rand(2, n, 1, 1) * side
    mask = ((yy - cy) ** 2 + (xx - cx) ** 2 < 9).float().unsqueeze(1)
    return mask * 0.8 + 0.2 * torch.rand_like(mask), mask


class UNetish(nn.Module):
    def __init__(self):
        super().__init__()
        self.inc = nn.Conv2d(1, 4, 3, padding=1)
        self.mid = nn.Conv2d(4, 8, 3, stride=2, padding=1)
        self.up = nn.ConvTranspose2d(8, 4, 2, stride=2)
        self.out = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        a = torch.relu(self.inc(x))
        b = torch.relu(self.up(torch.relu(self.mid(a))))
        return torch.sigmoid(self.out(torch.cat([a, b], 1)))


net = UNetish()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for it in range(200):
    image, mask = fields()
    loss = 1 - soft_dice(net(image), mask)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 50 == 0:
        print(it, loss.item())
