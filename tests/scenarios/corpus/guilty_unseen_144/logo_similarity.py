# gradwatch-corpus: kind=memory-climb
# holder: self.frames | probe.frames
# first-bad: 1
# notice: 60
import torch

torch.set_num_threads(1)
from torch import nn

torch.manual_seed(46)


class ActivationProbe:
    """Dead-unit statistics of a layer, gathered through a forward hook."""

    def __init__(self, layer):
        self.frames = []
        self.handle = layer.register_forward_hook(self._grab)

    @torch.no_grad()
    def _grab(self, module, args, out):
        self.frames.append(out.clone())  # <- culprit

    def dead_ratio(self):
        return (self.frames[-1] <= 0).all(0).float().mean().item()


class LogoNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.inp = nn.Linear(48, 640)
        self.act = nn.ReLU()
        self.out = nn.Linear(640, 16)

    def forward(self, x):
        return nn.functional.normalize(self.out(self.act(self.inp(x))), dim=1)


net = LogoNet()
probe = ActivationProbe(net.act)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
triplet = nn.TripletMarginLoss(margin=0.4)
for it in range(360):
    brand = torch.randn(20, 48)
    trio = torch.cat([brand, brand + 0.8 * torch.randn(20, 48), 0.5 * brand.flip(0) + 0.4 * brand])
    a, p, n = net(trio).chunk(3)
    loss = triplet(a, p, n)
    opt.zero_grad()
    loss.backward()
    opt.step()
    if it % 60 == 0:
        print(it, f"{loss.item():.4f} dead {probe.dead_ratio():.2%}")
