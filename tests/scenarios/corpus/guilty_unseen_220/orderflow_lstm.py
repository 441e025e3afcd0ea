# gradwatch-corpus: kind=second-backward
# holder: self.memory | trader.memory
# first-bad: 1
"""Next-tick direction model on a continuous synthetic order-flow stream."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn


@dataclass(frozen=True)
class StreamSpec:
    lanes: int = 24
    features: int = 6
    window: int = 20
    windows: int = 100
    seed: int = 2024


def order_flow(spec):
    rng = np.random.default_rng(spec.seed)
    total = spec.window * spec.windows + 1
    imbalance = np.zeros((total, spec.lanes), dtype=np.float32)
    for t in range(1, total):
        shock = rng.normal(size=spec.lanes) * 0.4
        imbalance[t] = 0.92 * imbalance[t - 1] + shock
    loadings = rng.normal(size=spec.features).astype(np.float32)
    feats = imbalance[..., None] * loadings
    feats = feats + rng.normal(size=feats.shape).astype(np.float32) * 0.5
    up = (np.diff(imbalance, axis=0) > 0).astype(np.float32)
    return torch.from_numpy(feats[:-1].astype(np.float32)), torch.from_numpy(up)


class TickModel(nn.Module):
    def __init__(self, features, hidden=40):
        super().__init__()
        self.norm = nn.LayerNorm(features)
        self.lstm = nn.LSTM(features, hidden)
        self.direction = nn.Linear(hidden, 1)

    def forward(self, x, memory):
        y, memory = self.lstm(self.norm(x), memory)
        return self.direction(y).squeeze(-1), memory


class Trader:
    def __init__(self, spec):
        self.spec = spec
        self.model = TickModel(spec.features)
        self.opt = torch.optim.NAdam(self.model.parameters(), lr=2e-3)
        self.memory = None

    def carry(self, memory):
        hidden, cell = memory
        self.memory = (hidden.detach(), cell)  # <- culprit

    def learn(self, x, up):
        logits, memory = self.model(x, self.memory)
        loss = nn.functional.binary_cross_entropy_with_logits(logits, up)
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.opt.step()
        self.carry(memory)
        hit = ((logits > 0) == (up > 0.5)).float().mean()
        return loss.item(), hit.item()


def main():
    spec = StreamSpec()
    torch.manual_seed(spec.seed)
    feats, up = order_flow(spec)
    trader = Trader(spec)
    chunks = zip(feats.split(spec.window), up.split(spec.window))
    for i, (x, y) in enumerate(chunks):
        loss, hit = trader.learn(x, y)
        if i % 20 == 0:
            print(f"window {i:3d} bce {loss:.4f} hit {hit:.3f}")


if __name__ == "__main__":
    main()
