# gradwatch-corpus: kind=second-backward
# holder: self.emb | history.emb | self.histories[0].emb | model.histories[0].emb | self.histories | model.histories
# first-bad: 1
"""Node classification benchmark: GraphSAGE on mini-batches with historical embeddings.
Runs each dataset of the suite for a few seeds and reports mean test accuracy."""
import statistics
from dataclasses import dataclass

import torch
import torch.nn.functional as F

from datasets import DATASETS
from models import SAGE


@dataclass
class Settings:
    hidden: int = 32
    lr: float = 5e-3
    weight_decay: float = 5e-4
    batch_size: int = 50
    epochs: int = 60
    log_every: int = 20


def loader(nodes, batch_size):
    perm = nodes[torch.randperm(len(nodes))]
    yield from perm.split(batch_size)


def train_epoch(model, data, optimizer, batch_size):
    model.train()
    losses = []
    for n_id in loader(data.train, batch_size):
        optimizer.zero_grad()
        out = model(data.x, data.adj, n_id)
        loss = F.cross_entropy(out, data.y[n_id])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
        optimizer.step()
        losses.append(loss.item())
    return statistics.fmean(losses)


@torch.no_grad()
def test(model, data):
    model.eval()
    pred = model.full(data.x, data.adj).argmax(-1)
    return {split: (pred[idx] == data.y[idx]).float().mean().item()
            for split, idx in (("train", data.train), ("test", data.test))}


def run(name, seed, cfg):
    torch.manual_seed(seed)
    data = DATASETS[name](seed)
    model = SAGE(data.x.shape[0], data.x.shape[1], cfg.hidden, data.num_classes)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=cfg.weight_decay)
    model.reset_histories()
    for epoch in range(1, cfg.epochs + 1):
        loss = train_epoch(model, data, optimizer, cfg.batch_size)
        if epoch % cfg.log_every == 0:
            acc = test(model, data)
            print(f"{name} seed {seed} epoch {epoch:3d} loss {loss:.3f} train {acc['train']:.3f} "
                  f"test {acc['test']:.3f} age {model.histories[0].mean_age():.1f}")
    return test(model, data)["test"]


def main():
    cfg = Settings()
    table = {}
    for name in DATASETS:
        table[name] = [run(name, seed, cfg) for seed in (0, 1)]
    for name, accs in table.items():
        print(f"{name:10s} {100 * statistics.fmean(accs):.1f} +- {100 * statistics.pstdev(accs):.1f}")


if __name__ == "__main__":
    main()
