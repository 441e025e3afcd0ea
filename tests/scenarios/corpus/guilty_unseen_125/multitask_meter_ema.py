# gradwatch-corpus: kind=graph-held
# holder: self.value | meters["depth"].value | ema.value | smooth["normals"].value | smooth[name].value | smooth["depth"].value
# first-bad: 1
# notice: 8
import torch
import torch.nn as nn
from dataclasses import dataclass, field
from typing import Optional

torch.set_num_threads(1)
torch.manual_seed(17)


@dataclass
class Smoothed:
    beta: float = 0.97
    value: Optional[torch.Tensor] = field(default=None, repr=False)

    def __call__(self, v):
        if self.value is None:
            self.value = v
        else:
            self.value = self.beta * self.value + (1 - self.beta) * v  # <- culprit
        return self

    def __format__(self, spec):
        return format(float(self.value), spec or ".3f")


class SceneNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.SiLU())
        self.heads = nn.ModuleDict({"depth": nn.Conv2d(8, 1, 1), "normals": nn.Conv2d(8, 3, 1)})
        self.log_var = nn.ParameterDict({k: nn.Parameter(torch.zeros(())) for k in self.heads})

    def losses(self, img, gt):
        z = self.trunk(img)
        out = {}
        for k, head in self.heads.items():
            raw = (head(z) - gt[k]).abs().mean()
            out[k] = raw * torch.exp(-self.log_var[k]) + self.log_var[k]
        return out


net = SceneNet()
opt = torch.optim.Adam(net.parameters(), lr=1e-3)
smooth = {"depth": Smoothed(), "normals": Smoothed(0.9)}
for it in range(250):
    img = torch.rand(2, 3, 10, 10)
    gt = {"depth": img.mean(1, keepdim=True), "normals": torch.tanh(img - 0.5)}
    parts = net.losses(img, gt)
    opt.zero_grad()
    sum(parts.values()).backward()
    opt.step()
    for name, v in parts.items():
        smooth[name](v)
    if it % 50 == 49:
        print(f"{it} depth {smooth['depth']:.3f} normals {smooth['normals']:.3f}")
