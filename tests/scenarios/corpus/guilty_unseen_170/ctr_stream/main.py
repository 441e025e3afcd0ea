# gradwatch-corpus: kind=memory-climb
# holder: self.scores | self.labels | auc.scores | auc.labels | self.auc.scores | self.auc.labels
# first-bad: 0
# notice: 60
"""Click-through prediction over candidate slates: 256 requests, each with 200 candidates."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from metrics import RankingAUC


class TwoTower(nn.Module):
    def __init__(self, users=400, items=900, dim=16):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.bias = nn.Embedding(items, 1)
        self.mix = nn.Linear(dim, dim, bias=False)

    def forward(self, u, slate):
        q = self.mix(self.user(u)).unsqueeze(2)
        return (self.item(slate) @ q).squeeze(-1) + self.bias(slate).squeeze(-1)


class ClickLog:
    def __init__(self, seed=7):
        self.gen = torch.Generator().manual_seed(seed)
        self.u = torch.randn(400, 4, generator=self.gen)
        self.i = torch.randn(900, 4, generator=self.gen)

    def __iter__(self):
        while True:
            u = torch.randint(0, 400, (256,), generator=self.gen)
            slate = torch.randint(0, 900, (256, 200), generator=self.gen)
            p = torch.sigmoid((self.u[u].unsqueeze(1) * self.i[slate]).sum(-1) - 1.5)
            yield u, slate, torch.bernoulli(p, generator=self.gen)


class Trainer:
    def __init__(self, model):
        self.model = model
        self.opt = torch.optim.Adagrad(model.parameters(), lr=0.1)
        self.auc = RankingAUC()

    def step(self, u, slate, clicks):
        self.opt.zero_grad()
        scores = self.model(u, slate)
        loss = F.binary_cross_entropy_with_logits(scores, clicks)
        loss.backward()
        self.opt.step()
        self.auc.update(scores, clicks)
        return loss.item()


def main():
    torch.manual_seed(3)
    torch.set_num_threads(1)
    trainer = Trainer(TwoTower())
    for step, batch in enumerate(ClickLog()):
        if step == 90:
            break
        loss = trainer.step(*batch)
        if step % 15 == 0:
            print(f"{step:3d} loss {loss:.4f} auc {trainer.auc.compute():.3f}")


if __name__ == "__main__":
    main()
