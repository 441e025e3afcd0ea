# gradwatch-corpus: kind=second-backward
# holder: self.precision | criterion.precision
# first-bad: 1
# notice: 0
# Click and watch-time prediction with learned homoscedastic weights.
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


class SharedBottom(nn.Module):
    def __init__(self, fields=(20, 30, 6), dim=4):
        super().__init__()
        self.emb = nn.ModuleList(nn.Embedding(f, dim) for f in fields)
        self.bottom = nn.Sequential(nn.Linear(dim * len(fields), 16), nn.ReLU())
        self.click = nn.Linear(16, 1)
        self.watch = nn.Linear(16, 1)

    def forward(self, ids):
        h = self.bottom(torch.cat([e(ids[:, i]) for i, e in enumerate(self.emb)], 1))
        return self.click(h).squeeze(1), F.softplus(self.watch(h)).squeeze(1)


class UncertaintyWeighting(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.log_var = nn.Parameter(torch.zeros(len(tasks)))
        self.tasks = tasks
        self.precision = torch.exp(-self.log_var)  # <- culprit

    def forward(self, losses):
        total = 0.0
        for i, name in enumerate(self.tasks):
            total = total + self.precision[i] * losses[name] + 0.5 * self.log_var[i]
        return total


def impressions(n):
    ids = torch.stack([torch.randint(0, k, (n,)) for k in (20, 30, 6)], 1)
    taste = torch.sin(ids[:, 0].float()) * torch.cos(ids[:, 1].float())
    click = (taste + 0.3 * torch.randn(n) > 0).float()
    return ids, click, click * (1 + ids[:, 2].float() / 3)


def train(steps=400):
    net, criterion = SharedBottom(), UncertaintyWeighting(["click", "watch"])
    opt = torch.optim.Adam([{"params": net.parameters()}, {"params": criterion.parameters(), "lr": 1e-2}], lr=3e-3)
    for step in range(steps):
        ids, click, watch = impressions(32)
        logit, secs = net(ids)
        losses = {"click": F.binary_cross_entropy_with_logits(logit, click), "watch": F.mse_loss(secs, watch)}
        total = criterion(losses)
        opt.zero_grad(set_to_none=True)
        total.backward()
        opt.step()
        print(step, {k: round(v.item(), 3) for k, v in losses.items()})


if __name__ == "__main__":
    torch.manual_seed(17)
    train()
