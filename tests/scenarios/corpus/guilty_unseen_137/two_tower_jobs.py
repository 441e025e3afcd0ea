# gradwatch-corpus: kind=retain-needless
# first-bad: 0
# notice: 60
"""Two-tower job recommender: in-batch softmax plus an auxiliary salary head."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


def tower(n_in, n_out):
    return nn.Sequential(nn.Linear(n_in, 24), nn.ReLU(), nn.Linear(24, n_out))


class TwoTower(nn.Module):
    def __init__(self):
        super().__init__()
        self.person, self.job = tower(9, 8), tower(7, 8)
        self.salary = nn.Linear(8, 1)

    def forward(self, p, j):
        zp, zj = F.normalize(self.person(p), dim=1), F.normalize(self.job(j), dim=1)
        return zp @ zj.T / 0.1, self.salary(zj).squeeze(1)


class JobTrainer:
    def __init__(self, model, aux_weight):
        self.model, self.aux_weight = model, aux_weight
        self.opt = torch.optim.Adam(model.parameters(), lr=2e-3)

    def objectives(self, p, j, pay):
        scores, guess = self.model(p, j)
        return {"match": F.cross_entropy(scores, torch.arange(len(p))), "pay": F.mse_loss(guess, pay)}

    def update(self, p, j, pay):
        parts = self.objectives(p, j, pay)
        total = parts["match"] + self.aux_weight * parts["pay"]
        self.opt.zero_grad(set_to_none=True)
        total.backward(retain_graph=True)  # <- culprit
        self.opt.step()
        return {k: v.item() for k, v in parts.items()}


def applications(n, mix):
    p = torch.randn(n, 9)
    j = p @ mix + 0.3 * torch.randn(n, 7)
    return p, j, j[:, 0] * 0.5 + 0.1 * torch.randn(n)


if __name__ == "__main__":
    torch.manual_seed(29)
    mix = torch.randn(9, 7)
    trainer = JobTrainer(TwoTower(), 0.3)
    for it in range(700):
        logs = trainer.update(*applications(20, mix))
        if it % 100 == 0:
            print(it, {k: round(v, 3) for k, v in logs.items()})
