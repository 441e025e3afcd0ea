# gradwatch-corpus: kind=none
import torch
torch.set_num_threads(1)
import torch.nn as nn
from surgery import project_conflicts

torch.manual_seed(10)


class MultiHead(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(2, 8, 3, padding=1), nn.ELU(), nn.Conv2d(8, 8, 3, padding=1), nn.ELU())
        self.depth = nn.Conv2d(8, 1, 1)
        self.seg = nn.Conv2d(8, 3, 1)
        self.edge = nn.Conv2d(8, 1, 1)

    def forward(self, x):
        h = self.trunk(x)
        return self.depth(h), self.seg(h), self.edge(h)


net = MultiHead()
opt = torch.optim.Adam(net.parameters(), 1e-3)
for it in range(420):
    x = torch.randn(4, 2, 8, 8)
    label = (x[:, 0] > 0.5).long() + (x[:, 1] > 0).long()
    dep, seg, edge = net(x)
    losses = [(dep[:, 0] - x.abs().sum(1)).abs().mean(),
              nn.functional.cross_entropy(seg, label),
              nn.functional.binary_cross_entropy_with_logits(edge[:, 0], (x.prod(1) > 0).float())]
    project_conflicts(losses, net, opt)
    opt.step()
    if it % 100 == 0:
        print(it, [round(l.item(), 3) for l in losses])
