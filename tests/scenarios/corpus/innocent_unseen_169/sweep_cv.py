# gradwatch-corpus: kind=none
import copy
import itertools
from dataclasses import dataclass, field

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(31)

GRID = {"lr": [1e-2, 3e-3], "width": [16, 32], "l2": [0.0, 1e-3]}


@dataclass
class FoldState:
    fold: int
    best: float = float("inf")
    best_weights: dict = None
    patience: int = 3
    bad: int = 0
    losses: list = field(default_factory=list)
    last_batch: dict = field(default_factory=dict)


class Keeper:
    """Top-k checkpoints in memory."""

    def __init__(self, k=2):
        self.k, self.items = k, []

    def offer(self, score, model, tag):
        self.items.append((score, tag, copy.deepcopy(model.state_dict())))
        self.items.sort(key=lambda t: t[0])
        del self.items[self.k:]


class Snapshot:
    def __call__(self, state, **tensors):
        state.last_batch = tensors


class LossLog:
    def __call__(self, state, loss, **_):
        state.losses.append(loss.item())


class EarlyStop:
    def check(self, state, value, model):
        if value < state.best - 1e-4:
            state.best, state.bad = value, 0
            state.best_weights = copy.deepcopy(model.state_dict())
        else:
            state.bad += 1
        return state.bad >= state.patience


def make(cfg, d):
    return nn.Sequential(nn.Linear(d, cfg["width"]), nn.ELU(), nn.Linear(cfg["width"], 1))


def run_fold(cfg, fold, x, y, train, val, keeper, callbacks):
    model = make(cfg, x.shape[1])
    opt = torch.optim.SGD(model.parameters(), lr=cfg["lr"], momentum=0.9)
    state, stop = FoldState(fold), EarlyStop()
    for epoch in range(5):
        model.train()
        for idx in train[torch.randperm(len(train))].split(60):
            out = model(x[idx]).squeeze(1)
            reg = cfg["l2"] * sum(p.pow(2).sum() for p in model.parameters())
            loss = nn.functional.mse_loss(out, y[idx]) + reg
            opt.zero_grad(set_to_none=False)
            loss.backward()
            opt.step()
            for cb in callbacks:
                cb(state, loss=loss, out=out, reg=reg)
        model.eval()
        with torch.inference_mode():
            val_loss = nn.functional.mse_loss(model(x[val]).squeeze(1), y[val]).item()
        if stop.check(state, val_loss, model):
            break
    model.load_state_dict(state.best_weights)
    keeper.offer(state.best, model, (tuple(cfg.items()), fold))
    return state


def main():
    x = torch.randn(180, 6)
    y = torch.tanh(x[:, 0]) + 0.3 * x[:, 1] * x[:, 2]
    keeper, table, everything = Keeper(), [], []
    for values in itertools.product(*GRID.values()):
        cfg = dict(zip(GRID, values))
        parts = torch.randperm(len(x)).chunk(3)
        states = []
        for k, val in enumerate(parts):
            train = torch.cat([p for j, p in enumerate(parts) if j != k])
            states.append(run_fold(cfg, k, x, y, train, val, keeper, [Snapshot(), LossLog()]))
            states[-1].last_batch.clear()
            states[-1].best_weights = None
        everything.append(states)
        table.append((sum(s.best for s in states) / len(states), cfg))
    table.sort(key=lambda t: t[0])
    print("steps", sum(len(s.losses) for states in everything for s in states))
    for score, cfg in table[:3]:
        print(f"{score:.4f} {cfg}")
    print("kept", [(round(s, 4), tag[1]) for s, tag, _ in keeper.items])


if __name__ == "__main__":
    main()
