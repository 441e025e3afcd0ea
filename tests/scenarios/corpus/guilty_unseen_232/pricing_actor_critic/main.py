# gradwatch-corpus: kind=inplace-modified
# first-bad: 2
import torch

from agent import PricingAgent
from market import Market
from settings import Settings


def main():
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    market = Market(cfg.lanes, cfg.signals, cfg.seed)
    agent = PricingAgent(cfg)
    profit = 0.0
    for it in range(cfg.iterations):
        batch = market.quote_requests(cfg.batch)
        stats = agent.learn(it, batch, market)
        profit = 0.95 * profit + 0.05 * stats["profit"]
        if (it + 1) % 25 == 0:
            print(it + 1, f"profit {profit:.3f}", f"critic {stats['critic']:.4f}")


if __name__ == "__main__":
    main()
