# gradwatch-corpus: kind=graph-chain
# holder: self.anchors | self.anchors[name] | anchor.anchors | anchor.anchors[name]
# first-bad: 1
"""Store x SKU demand model, weekly refresh.

The category managers complained that forecasts jump between refreshes, so the
weights are pulled softly towards their own slow-moving average.
"""
import copy
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

CFG = dict(n_stores=12, n_skus=40, emb=8, hidden=32, batch=128, epochs=5, lr=2e-3,
           anchor_rate=0.1, anchor_weight=0.05)


def make_sales(n, cfg, seed=17):
    g = torch.Generator().manual_seed(seed)
    store = torch.randint(cfg["n_stores"], (n,), generator=g)
    sku = torch.randint(cfg["n_skus"], (n,), generator=g)
    week = torch.randint(52, (n,), generator=g).float()
    promo = (torch.rand(n, generator=g) < 0.2).float()
    level = torch.randn(cfg["n_stores"], generator=g)[store] + torch.randn(cfg["n_skus"], generator=g)[sku]
    y = 2.0 + 0.4 * level + 0.7 * promo + 0.3 * torch.sin(2 * math.pi * week / 52)
    feats = torch.stack([promo, torch.sin(2 * math.pi * week / 52), torch.cos(2 * math.pi * week / 52)], dim=1)
    return TensorDataset(store, sku, feats, torch.poisson(y.exp().clamp(max=200), generator=g))


class DemandNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.store = nn.Embedding(cfg["n_stores"], cfg["emb"])
        self.sku = nn.Embedding(cfg["n_skus"], cfg["emb"])
        self.mlp = nn.Sequential(nn.Linear(2 * cfg["emb"] + 3, cfg["hidden"]), nn.ReLU(),
                                 nn.Linear(cfg["hidden"], 1))

    def forward(self, store, sku, feats):
        return self.mlp(torch.cat([self.store(store), self.sku(sku), feats], dim=1)).squeeze(1)


class WeightAnchor:
    def __init__(self, model, rate):
        self.rate = rate
        self.anchors = {k: copy.deepcopy(p.data) for k, p in model.named_parameters()}

    def _slide(self, name, p):
        return torch.lerp(self.anchors[name], p, self.rate)  # <- culprit

    def update(self, model):
        for name, p in model.named_parameters():
            self.anchors[name] = self._slide(name, p)  # <- culprit

    def penalty(self, model):
        return sum((p - self.anchors[name]).pow(2).sum() for name, p in model.named_parameters())


def train(cfg):
    torch.manual_seed(0)
    loader = DataLoader(make_sales(128 * 15, cfg), batch_size=cfg["batch"], shuffle=True)
    net = DemandNet(cfg)
    anchor = WeightAnchor(net, cfg["anchor_rate"])
    opt = torch.optim.AdamW(net.parameters(), lr=cfg["lr"])
    nll = nn.PoissonNLLLoss(log_input=True)
    for epoch in range(cfg["epochs"]):
        seen, total = 0, 0.0
        for store, sku, feats, units in loader:
            opt.zero_grad()
            fit = nll(net(store, sku, feats), units)
            loss = fit + cfg["anchor_weight"] * anchor.penalty(net)
            loss.backward()
            anchor.update(net)
            opt.step()
            total += fit.item() * len(units)
            seen += len(units)
        print(f"refresh {epoch}: poisson nll {total / seen:.4f}")


if __name__ == "__main__":
    train(CFG)
