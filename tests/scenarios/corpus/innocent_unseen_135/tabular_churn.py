# gradwatch-corpus: kind=none
"""Churn from tabular records; an epoch's losses (12 batches) are averaged at its end, as lightning 1.x did."""
import torch

torch.set_num_threads(1)
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Customers(Dataset):
    def __init__(self, n=192):
        g = torch.Generator().manual_seed(0)
        self.plan = torch.randint(0, 4, (n,), generator=g)
        self.num = torch.randn(n, 5, generator=g)
        z = self.num[:, 0] - 0.8 * self.num[:, 3] + 0.5 * (self.plan == 2)
        self.left = (z + 0.5 * torch.randn(n, generator=g) > 0).float()

    def __len__(self):
        return len(self.left)

    def __getitem__(self, i):
        return self.plan[i], self.num[i], self.left[i]


class ChurnModule(nn.Module):
    def __init__(self):
        super().__init__()
        self.plan = nn.Embedding(4, 3)
        self.mlp = nn.Sequential(nn.Linear(8, 16), nn.SiLU(), nn.Dropout(0.1), nn.Linear(16, 1))

    def training_step(self, batch, i):
        plan, num, left = batch
        logit = self.mlp(torch.cat([self.plan(plan), num], 1)).squeeze(1)
        return {"loss": nn.functional.binary_cross_entropy_with_logits(logit, left), "n": len(left)}

    def training_epoch_end(self, outputs):
        n = sum(o["n"] for o in outputs)
        return {"train_loss": (sum(o["loss"] * o["n"] for o in outputs) / n).item()}


class MiniTrainer:
    def __init__(self, max_epochs):
        self.max_epochs = max_epochs
        self.logged = []

    def fit(self, module, loader):
        opt = torch.optim.Adam(module.parameters(), lr=2e-3)
        for epoch in range(self.max_epochs):
            outputs = []
            for i, batch in enumerate(loader):
                out = module.training_step(batch, i)
                opt.zero_grad()
                out["loss"].backward()
                opt.step()
                outputs.append(out)
            self.logged.append(module.training_epoch_end(outputs))
            if epoch % 12 == 0:
                print(epoch, self.logged[-1])


torch.manual_seed(41)
MiniTrainer(max_epochs=48).fit(ChurnModule(), DataLoader(Customers(), batch_size=16, shuffle=True))
