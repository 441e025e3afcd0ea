# gradwatch-corpus: kind=graph-held
# holder: self.table | callbacks[0].table
# first-bad: 1
from __future__ import annotations

import argparse

import torch

from data import ImplicitLog
from hooks import Callback, ItemScoreBoard, Throughput
from towers import TwoTower, bpr


def fit(model: TwoTower, log: ImplicitLog, callbacks: list[Callback], cfg: argparse.Namespace) -> None:
    opt = torch.optim.Adagrad(model.parameters(), lr=cfg.lr)
    for step in range(cfg.steps):
        users, pos, neg = log.draw(cfg.batch)
        u = model.user(users)
        s_pos = (u * model.item(pos)).sum(-1)
        s_neg = (u * model.item(neg)).sum(-1)
        loss = bpr(s_pos, s_neg) + cfg.l2 * u.pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        for cb in callbacks:
            cb.on_batch(step, items=pos, scores=s_pos, loss=loss)
    for cb in callbacks:
        cb.on_end()


def parse() -> argparse.Namespace:
    p = argparse.ArgumentParser()
    p.add_argument("--steps", type=int, default=500)
    p.add_argument("--batch", type=int, default=16)
    p.add_argument("--dim", type=int, default=24)
    p.add_argument("--users", type=int, default=900)
    p.add_argument("--items", type=int, default=30000)
    p.add_argument("--lr", type=float, default=0.05)
    p.add_argument("--l2", type=float, default=1e-3)
    return p.parse_args()


if __name__ == "__main__":
    args = parse()
    torch.manual_seed(11)
    log = ImplicitLog(args.users, args.items, seed=11)
    fit(TwoTower(args.users, args.items, args.dim), log, [ItemScoreBoard(top=5), Throughput(every=100)], args)
