# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Fruit count and ripeness from canopy features, homoscedastic weighting, bf16 autocast on CPU."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(54)


class Orchard(nn.Module):
    def __init__(self):
        super().__init__()
        self.canopy = nn.Sequential(nn.Linear(9, 16), nn.GELU())
        self.count = nn.Linear(16, 1)
        self.ripe = nn.Linear(16, 4)
        self.log_var = nn.Parameter(torch.zeros(2))

    def forward(self, x):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            h = self.canopy(x)
            return self.count(h).float().squeeze(-1), self.ripe(h).float()

    def objective(self, x, n, r):
        count, ripe = self(x)
        parts = torch.stack([
            nn.functional.poisson_nll_loss(count, n),
            nn.functional.cross_entropy(ripe, r),
        ])
        return (torch.exp(-self.log_var) * parts + self.log_var).sum(), parts.detach()


def trees(n=16):
    x = torch.randn(n, 9)
    count = torch.poisson((0.5 * x[:, 0] + 1).exp().clamp(max=20))
    ripe = (x[:, 1:5]).argmax(1)
    return x, count, ripe


model = Orchard()
opt = torch.optim.Adam(model.parameters(), lr=3e-3)
for i in range(500):
    objective, parts = model.objective(*trees())
    opt.zero_grad(set_to_none=True)
    objective.backward(retain_graph=True)  # <- culprit
    nn.utils.clip_grad_value_(model.parameters(), 1.0)
    opt.step()
    if i % 100 == 99:
        print(i + 1, parts.tolist())
