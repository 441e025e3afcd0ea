# gradwatch-corpus: kind=graph-chain
# holder: self.mu | pacer.mu | self.pacer.mu | bidder.pacer.mu | trainer.pacer.mu
# first-bad: 1
"""Bid shading under a budget: maximise won value, with a dual price on spend that the pacing controller moves
after every batch of auctions."""
import logging
from dataclasses import dataclass

import torch
from torch import Tensor, nn

logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
log = logging.getLogger("pacing")


@dataclass
class BidderConfig:
    n_features: int = 12
    n_campaigns: int = 30
    budget_per_auction: float = 0.22
    dual_lr: float = 0.05
    lr: float = 0.01
    batch: int = 64
    steps: int = 210
    retain_graph: bool = True
    seed: int = 77


@dataclass
class Auctions:
    x: Tensor
    campaign: Tensor
    value: Tensor
    market: Tensor  # clearing price of the others


class AuctionHouse:
    def __init__(self, cfg: BidderConfig):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(cfg.seed)
        self.w = torch.randn(cfg.n_features, generator=self.g) / cfg.n_features**0.5

    def next(self) -> Auctions:
        c = self.cfg
        x = torch.randn(c.batch, c.n_features, generator=self.g)
        value = torch.sigmoid(x @ self.w + 0.3)
        market = (0.6 * value + 0.15 * torch.randn(c.batch, generator=self.g)).clamp(0.02, 1.0)
        campaign = torch.randint(0, c.n_campaigns, (c.batch,), generator=self.g)
        return Auctions(x, campaign, value, market)


class ShadingModel(nn.Module):
    """Which fraction of the value to bid: logistic in the features, plus a bias per campaign."""

    def __init__(self, cfg: BidderConfig):
        super().__init__()
        self.linear = nn.Linear(cfg.n_features, 1)
        self.campaign_bias = nn.Embedding(cfg.n_campaigns, 1)
        nn.init.zeros_(self.campaign_bias.weight)

    def forward(self, a: Auctions) -> Tensor:
        z = self.linear(a.x) + self.campaign_bias(a.campaign)
        return torch.sigmoid(z).squeeze(1)


class PacingController:
    """Dual ascent on the price of budget."""

    def __init__(self, budget: float, lr: float, start: float = 0.3):
        self.budget = budget
        self.lr = lr
        self.mu = torch.tensor(start)

    def price(self, spend: Tensor) -> Tensor:
        return self.mu * (spend - self.budget)

    def observe(self, spend: Tensor) -> None:
        self.mu = (self.mu + self.lr * (spend - self.budget)).clamp(min=0.0, max=5.0)  # <- culprit


class Trainer:
    def __init__(self, cfg: BidderConfig):
        self.cfg = cfg
        self.model = ShadingModel(cfg)
        self.pacer = PacingController(cfg.budget_per_auction, cfg.dual_lr)
        self.optim = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.house = AuctionHouse(cfg)

    def auction_outcome(self, a: Auctions) -> tuple[Tensor, Tensor]:
        bid = self.model(a) * a.value
        win = torch.sigmoid((bid - a.market) / 0.05)  # soft win
        return (win * (a.value - a.market)).mean(), (win * a.market).mean()

    def step(self) -> tuple[float, float]:
        a = self.house.next()
        surplus, spend = self.auction_outcome(a)
        loss = -surplus + self.pacer.price(spend)
        self.optim.zero_grad()
        loss.backward(retain_graph=self.cfg.retain_graph)
        self.optim.step()
        self.pacer.observe(spend)  # <- culprit
        return surplus.item(), spend.item()

    def fit(self) -> None:
        for i in range(self.cfg.steps):
            surplus, spend = self.step()
            if (i + 1) % 70 == 0:
                log.info(
                    "%4d surplus %.4f spend %.4f (budget %.2f) mu %.3f",
                    i + 1, surplus, spend, self.cfg.budget_per_auction, self.pacer.mu.item(),
                )


def main() -> None:
    cfg = BidderConfig()
    torch.manual_seed(cfg.seed)
    Trainer(cfg).fit()


if __name__ == "__main__":
    main()
