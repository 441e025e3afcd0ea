# gradwatch-corpus: kind=graph-held
# holder: self.step_outputs | trainer.step_outputs | module.step_outputs
# first-bad: 1
import math
from dataclasses import dataclass

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


@dataclass
class Config:
    rows: int = 9000
    batch: int = 16
    lr: float = 2e-3
    epochs: int = 1
    emb: int = 4


class TabularRegressor(nn.Module):
    def __init__(self, cardinalities, n_num, emb):
        super().__init__()
        self.embs = nn.ModuleList(nn.Embedding(c, emb) for c in cardinalities)
        width = emb * len(cardinalities) + n_num
        self.mlp = nn.Sequential(nn.Linear(width, 32), nn.SiLU(), nn.Linear(32, 2))

    def forward(self, cats, nums):
        parts = [e(cats[:, i]) for i, e in enumerate(self.embs)]
        mean, log_var = self.mlp(torch.cat(parts + [nums], 1)).unbind(1)
        return mean, log_var.clamp(-6, 6)

    def training_step(self, batch, batch_idx):
        cats, nums, y = batch
        mean, log_var = self(cats, nums)
        nll = 0.5 * (log_var + (y - mean) ** 2 / log_var.exp())
        return {"loss": nll.mean(), "se": (y - mean).detach().pow(2).sum().item(), "n": len(y)}

    def training_epoch_end(self, outputs):
        loss = torch.stack([o["loss"] for o in outputs]).mean()
        rmse = math.sqrt(sum(o["se"] for o in outputs) / sum(o["n"] for o in outputs))
        print(f"epoch loss {loss.item():.4f} rmse {rmse:.4f}")


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg

    def fit(self, module, loader):
        opt = torch.optim.AdamW(module.parameters(), lr=self.cfg.lr)
        sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, self.cfg.epochs * len(loader))
        for epoch in range(self.cfg.epochs):
            self.step_outputs = []
            for i, batch in enumerate(loader):
                out = module.training_step(batch, i)
                opt.zero_grad()
                out["loss"].backward()
                opt.step()
                sched.step()
                self.step_outputs.append(out)  # <- culprit
                if i % 140 == 0:
                    print(f"  {i}/{len(loader)} lr {sched.get_last_lr()[0]:.5f}")
            module.training_epoch_end(self.step_outputs)


def make_table(cfg):
    gen = torch.Generator().manual_seed(21)
    cards = [7, 12, 3]
    cats = torch.stack([torch.randint(0, c, (cfg.rows,), generator=gen) for c in cards], 1)
    nums = torch.randn(cfg.rows, 5, generator=gen)
    y = nums[:, 0] * (cats[:, 2] - 1) + 0.1 * cats[:, 1] + nums[:, 1].sin()
    y = y + 0.2 * torch.randn(cfg.rows, generator=gen)
    return TensorDataset(cats, nums, (y - y.mean()) / y.std()), cards


if __name__ == "__main__":
    torch.manual_seed(2)
    cfg = Config()
    table, cards = make_table(cfg)
    Trainer(cfg).fit(TabularRegressor(cards, 5, cfg.emb), DataLoader(table, cfg.batch, shuffle=True))
