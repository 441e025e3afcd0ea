# gradwatch-corpus: kind=graph-held
# holder: metric_errors | self.metric_errors | cv.metric_errors | exc | exc.__traceback__
# first-bad: 47
# notice: 54
"""Store sales, 14th place: entity embeddings + MLP, 4 folds by store, RMSLE.
Cleaned up from the notebook, with made-up data in place of the csv."""
import random
from math import sqrt
from types import SimpleNamespace

import torch
import torch.nn as nn

CFG = SimpleNamespace(seed=2021, n_folds=4, steps_per_fold=120, bs=128, lr=4e-3,
                      n_stores=40, n_families=12, n_rows=6000, verbose=60)


def seed_everything(seed):
    random.seed(seed)
    torch.manual_seed(seed)


def make_train(cfg):
    g = torch.Generator().manual_seed(cfg.seed)
    store = torch.randint(cfg.n_stores, (cfg.n_rows,), generator=g)
    family = torch.randint(cfg.n_families, (cfg.n_rows,), generator=g)
    dow = torch.randint(7, (cfg.n_rows,), generator=g)
    promo = (torch.rand(cfg.n_rows, generator=g) < 0.2).float()
    oil = torch.randn(cfg.n_rows, generator=g)
    size = torch.rand(cfg.n_stores, generator=g) * 4
    pop = torch.rand(cfg.n_families, generator=g) * 3
    y = size[store] * pop[family] * (1 + 0.3 * (dow >= 5)) * (1 + promo) + 0.2 * oil
    y = (y + 0.5 * torch.randn(cfg.n_rows, generator=g)).clamp(min=0).round()
    return SimpleNamespace(cat=torch.stack([store, family, dow], 1), num=torch.stack([promo, oil], 1), y=y)


def rmsle(pred, target):
    lowest = pred.min().item()
    if lowest <= -1:
        raise ValueError(f"rmsle: prediction {lowest:.2f} is out of the domain of log1p")
    with torch.no_grad():
        return sqrt((torch.log1p(pred) - torch.log1p(target)).pow(2).mean().item())


class TabularNet(nn.Module):
    def __init__(self, cards, n_num, hidden=64, p=0.1):
        super().__init__()
        self.embs = nn.ModuleList([nn.Embedding(c, min(12, (c + 1) // 2)) for c in cards])
        width = sum(e.embedding_dim for e in self.embs) + n_num
        self.body = nn.Sequential(nn.Linear(width, hidden), nn.BatchNorm1d(hidden), nn.SiLU(), nn.Dropout(p),
                                  nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, cat, num):
        x = [e(cat[:, i]) for i, e in enumerate(self.embs)]
        return self.body(torch.cat(x + [num], dim=1)).squeeze(1)


class CrossValidator:
    def __init__(self, cfg, train):
        self.cfg, self.train = cfg, train
        self.metric_errors = []
        self.oof = torch.zeros(len(train.y))

    def folds(self):
        order = list(range(self.cfg.n_stores))
        random.shuffle(order)
        for k in range(self.cfg.n_folds):
            held_out = torch.tensor(order[k::self.cfg.n_folds])
            is_val = torch.isin(self.train.cat[:, 0], held_out)
            yield k, torch.nonzero(~is_val).squeeze(1), torch.nonzero(is_val).squeeze(1)

    def take(self, idx):
        return self.train.cat[idx], self.train.num[idx], self.train.y[idx]

    def train_step(self, model, opt, sched, criterion, idx):
        cat, num, y = self.take(idx)
        pred = model(cat, num)
        loss = criterion(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        return loss.item(), rmsle(pred, y)

    def run_fold(self, k, trn, val):
        cfg = self.cfg
        model = TabularNet((cfg.n_stores, cfg.n_families, 7), 2)
        opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr, weight_decay=1e-3)
        sched = torch.optim.lr_scheduler.OneCycleLR(opt, max_lr=cfg.lr, total_steps=cfg.steps_per_fold)
        criterion = nn.SmoothL1Loss(beta=2.0)
        scores = []
        for step in range(cfg.steps_per_fold):
            idx = trn[torch.randint(len(trn), (cfg.bs,))]
            try:
                loss, score = self.train_step(model, opt, sched, criterion, idx)
                scores.append(score)
            except ValueError as exc:
                self.metric_errors.append((k, step, exc))  # <- culprit
            if step % cfg.verbose == cfg.verbose - 1:
                recent = scores[-20:]
                shown = f"{sum(recent) / len(recent):.4f}" if recent else "n/a"
                print(f"fold {k} step {step + 1}: train rmsle {shown}")

        model.eval()
        with torch.no_grad():
            cat, num, y = self.take(val)
            self.oof[val] = model(cat, num).clamp(min=0)
        return rmsle(self.oof[val], y)

    def run(self):
        results = []
        for k, trn, val in self.folds():
            results.append(self.run_fold(k, trn, val))
            print(f"fold {k}: rmsle {results[-1]:.4f}")
        return results


if __name__ == "__main__":
    seed_everything(CFG.seed)
    cv = CrossValidator(CFG, make_train(CFG))
    results = cv.run()
    print(f"CV {sum(results) / len(results):.4f}  OOF {rmsle(cv.oof, cv.train.y):.4f}")
    print(f"{len(cv.metric_errors)} batches without a score")
    for k, step, exc in cv.metric_errors[:3]:
        print(f"  fold {k} step {step}: {exc}")
