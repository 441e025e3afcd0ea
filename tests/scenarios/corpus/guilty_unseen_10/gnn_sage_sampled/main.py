# gradwatch-corpus: kind=graph-held
# holder: self.sum | self.avg | meters["loss"].sum | meters["loss"].avg | meters["reg"].sum | meters["reg"].avg | meters
# first-bad: 1
# notice: 22
"""GraphSAGE on a stochastic block model with sampled neighbourhoods. Semester project, graph learning group."""
import random
from collections import OrderedDict

import torch
import torch.nn.functional as F

import data
from meters import AverageMeter, ProgressLine
from sage import SAGE

random.seed(0)
torch.manual_seed(0)


class Config:
    nodes = 400
    classes = 4
    features = 16
    hidden = 32
    fanout = (5, 5)
    batch = 32
    epochs = 25
    lr = 0.01
    smooth = 1e-3
    log_interval = 4


def spread_term(z):
    """Keeps the logits from drifting away together."""
    return (z - z.mean(0)).pow(2).mean() + z.mean(0).pow(2).sum()


def train_epoch(cfg, graph, model, opt, meters, it):
    model.train()
    order = torch.randperm(cfg.nodes)[: cfg.batch * 10]
    for seeds in order.split(cfg.batch):
        blocks, nodes = graph.sample(seeds.tolist(), cfg.fanout)
        z = model(graph.x[nodes], blocks)
        target = graph.y[seeds]
        ce = F.cross_entropy(z, target)
        reg = cfg.smooth * spread_term(z)
        loss = ce + reg
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % cfg.log_interval == 0:
            hits = (z.argmax(1) == target).sum().item()
            meters["loss"].update(ce, len(seeds))  # <- culprit
            meters["reg"].update(reg, len(seeds))  # <- culprit
            meters["acc"].update(hits / len(seeds), len(seeds))
        it += 1
    return it


def main(cfg=Config):
    graph = data.block_model(cfg.nodes, cfg.classes, cfg.features)
    model = SAGE(cfg.features, cfg.hidden, cfg.classes)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr, weight_decay=5e-4)
    meters = OrderedDict((k, AverageMeter(k, fmt)) for k, fmt in
                         (("loss", ".4f"), ("reg", ".2e"), ("acc", ".3f")))
    line = ProgressLine(cfg.epochs, meters)
    it = 0
    for epoch in range(cfg.epochs):
        it = train_epoch(cfg, graph, model, opt, meters, it)
        if epoch % 6 == 0 or epoch == cfg.epochs - 1:
            line.show(epoch)
    model.eval()
    with torch.no_grad():
        blocks, nodes = graph.sample(list(range(cfg.nodes)), cfg.fanout)
        acc = (model(graph.x[nodes], blocks).argmax(1) == graph.y).float().mean()
    print(f"{it} iterations, accuracy on all nodes {acc.item():.3f}")


if __name__ == "__main__":
    main()
