# gradwatch-corpus: kind=none
"""Three labels of a spectrum, gradients projected against each other (PCGrad)."""
import torch

torch.set_num_threads(1)

from torch import nn

from surgery import ProjectedOptimizer


class SpectrumNet(nn.Module):
    def __init__(self, bins=30, h=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv1d(1, 4, 5, stride=2), nn.ReLU(), nn.Flatten(), nn.Linear(4 * 13, h), nn.ReLU())
        self.heads = nn.ModuleDict({k: nn.Linear(h, 1) for k in ("age", "mass", "metal")})

    def forward(self, s):
        f = self.trunk(s.unsqueeze(1))
        return {k: head(f).squeeze(-1) for k, head in self.heads.items()}


def stars(n=16, bins=30):
    lab = torch.rand(n, 3)
    grid = torch.linspace(0, 1, bins)
    spec = lab[:, :1] * grid + lab[:, 1:2] * torch.sin(9 * grid) - lab[:, 2:] * torch.exp(-((grid - 0.5) / 0.1) ** 2)
    return spec + 0.02 * torch.randn(n, bins), dict(zip(("age", "mass", "metal"), lab.t()))


def main():
    torch.manual_seed(29)
    net = SpectrumNet()
    opt = ProjectedOptimizer(torch.optim.Adam(net.parameters(), lr=2e-3))
    for step in range(450):
        spec, labels = stars()
        out = net(spec)
        losses = {k: (out[k] - labels[k]).pow(2).mean() for k in labels}
        opt.step(list(losses.values()))
        if step % 150 == 0:
            print(step, {k: round(v.item(), 4) for k, v in losses.items()})


if __name__ == "__main__":
    main()
