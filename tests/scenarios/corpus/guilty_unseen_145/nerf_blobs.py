# gradwatch-corpus: kind=graph-held
# holder: report.pending | self.pending
# first-bad: 1
# notice: 8
import math

import torch

torch.set_num_threads(1)
torch.manual_seed(0)


class Report:
    """Collects thunks; they're evaluated when the run is rendered to text."""

    def __init__(self):
        self.pending = []

    def later(self, label, fn):
        self.pending.append((label, fn))  # <- culprit

    def render(self, tail=3):
        return "\n".join(f"{label}: {fn():.3f}" for label, fn in self.pending[-tail:])


def posenc(x, n_freq=3):
    bands = [x]
    for k in range(n_freq):
        bands += [torch.sin(2 ** k * x), torch.cos(2 ** k * x)]
    return torch.cat(bands, -1)


class Field(torch.nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.trunk = torch.nn.Sequential(torch.nn.Linear(21, width), torch.nn.ReLU(), torch.nn.Linear(width, width), torch.nn.ReLU())
        self.sigma = torch.nn.Linear(width, 1)
        self.rgb = torch.nn.Linear(width, 3)

    def forward(self, pts):
        h = self.trunk(posenc(pts))
        return torch.nn.functional.softplus(self.sigma(h)).squeeze(-1), torch.sigmoid(self.rgb(h))


def render_rays(field, origins, dirs, n_samples=8, near=0.5, far=2.5):
    t = torch.linspace(near, far, n_samples).expand(len(origins), -1)
    t = t + torch.rand_like(t) * (far - near) / n_samples
    sigma, rgb = field(origins[:, None] + dirs[:, None] * t[..., None])
    delta = torch.cat([t[:, 1:] - t[:, :-1], torch.full((len(t), 1), 0.2)], 1)
    alpha = 1 - torch.exp(-sigma * delta)
    trans = torch.cumprod(torch.cat([torch.ones(len(t), 1), 1 - alpha[:, :-1] + 1e-8], 1), 1)
    w = alpha * trans
    return (w[..., None] * rgb).sum(1), w


def synthetic_rays(n):
    theta = torch.rand(n) * 2 * math.pi
    o = torch.stack([theta.cos(), theta.sin(), torch.zeros(n)], -1) * 1.5
    d = torch.nn.functional.normalize(-o + 0.3 * torch.randn(n, 3), dim=-1)
    hit = ((o + 1.5 * d).norm(dim=-1) < 0.4).float()[:, None]
    return o, d, hit * torch.tensor([0.9, 0.4, 0.1]) + (1 - hit) * 0.05


def fit(field, report, iters=300):
    opt = torch.optim.Adam(field.parameters(), lr=4e-3)
    for i in range(iters):
        o, d, target = synthetic_rays(32)
        rgb, w = render_rays(field, o, d)
        mse = ((rgb - target) ** 2).mean()
        opt.zero_grad()
        (mse + 1e-3 * (w * (1 - w)).mean()).backward()
        opt.step()
        report.later(f"psnr@{i}", lambda mse=mse: -10 * math.log10(mse.item()))  # <- culprit


report = Report()
fit(Field(), report)
print(report.render())
