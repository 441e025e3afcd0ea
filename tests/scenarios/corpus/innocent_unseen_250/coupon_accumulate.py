# gradwatch-corpus: kind=none
"""Coupon redemption model, micro-batched: the optimizer moves every fifth micro-batch."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class CouponConfig:
    shoppers: int = 300
    coupons: int = 80
    dim: int = 24
    micro_batch: int = 64
    accumulate: int = 5
    micro_steps: int = 150
    lr: float = 0.01


class MovingRate:
    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.rate = None

    def update(self, value):
        if self.rate is None:
            self.rate = value
        self.rate = self.momentum * self.rate + (1 - self.momentum) * value
        return self.rate


class RedemptionModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.shopper = nn.Embedding(cfg.shoppers, cfg.dim)
        self.coupon = nn.Embedding(cfg.coupons, cfg.dim)
        self.interaction = nn.Bilinear(cfg.dim, cfg.dim, 8)
        self.redeem = nn.Linear(8, 1)

    def forward(self, shoppers, coupons):
        joint = self.interaction(self.shopper(shoppers), self.coupon(coupons))
        return self.redeem(torch.relu(joint)).squeeze(1)


class MicroBatchTrainer:
    def __init__(self, cfg, model):
        self.cfg = cfg
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
        self.base_rate = MovingRate()
        self.pending_loss = torch.zeros(())
        self.pending = 0

    def feed(self, shoppers, coupons, redeemed):
        logits = self.model(shoppers, coupons)
        prior = self.base_rate.update(redeemed.mean())
        loss = nn.functional.binary_cross_entropy_with_logits(logits + torch.logit(prior, eps=1e-3), redeemed)
        (loss / self.cfg.accumulate).backward()
        self.pending_loss += loss.detach()
        self.pending += 1
        if self.pending == self.cfg.accumulate:
            return self.flush()
        return None

    def flush(self):
        nn.utils.clip_grad_norm_(self.model.parameters(), 5.0)
        self.optimizer.step()
        self.optimizer.zero_grad()
        mean = self.pending_loss / self.pending
        self.pending_loss = torch.zeros(())
        self.pending = 0
        return mean


def main():
    torch.manual_seed(15)
    cfg = CouponConfig()
    trainer = MicroBatchTrainer(cfg, RedemptionModel(cfg))
    thrift = torch.randn(cfg.shoppers)
    value = torch.randn(cfg.coupons)
    flushes = []
    for micro_step in range(cfg.micro_steps):
        shoppers = torch.randint(0, cfg.shoppers, (cfg.micro_batch,))
        coupons = torch.randint(0, cfg.coupons, (cfg.micro_batch,))
        redeemed = torch.bernoulli(torch.sigmoid(2 * thrift[shoppers] * value[coupons]))
        mean = trainer.feed(shoppers, coupons, redeemed)
        if mean is not None:
            flushes.append(mean)
    curve = torch.stack(flushes)
    print(f"{len(flushes)} updates, loss {curve[:5].mean().item():.4f} -> {curve[-5:].mean().item():.4f}")


if __name__ == "__main__":
    main()
