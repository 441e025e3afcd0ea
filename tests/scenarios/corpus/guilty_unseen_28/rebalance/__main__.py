# gradwatch-corpus: kind=graph-chain
# holder: self.nav | broker.nav
# first-bad: 1
# after: forum "Direct RL for portfolio, RuntimeError second time, retain_graph=True fixes it but every step is slower"
"""Daily rebalancing with a linear softmax policy, trained online on simulated markets.

    python -m rebalance
"""
from __future__ import annotations

import logging

import torch

from .broker import Broker, Market
from .policy import LinearPolicy, Settings, turnover_penalty

log = logging.getLogger("rebalance")


def run_year(year: int, cfg: Settings, policy: LinearPolicy, opt: torch.optim.Optimizer) -> float:
    market = Market(cfg.n_assets, cfg.days, seed=100 + year)
    broker = Broker.open(cfg.n_assets, fee=cfg.fee)
    for day in market:
        target = policy(day.features)
        penalty = turnover_penalty(target, broker.holdings, cfg.turnover_weight)
        nav = broker.settle(target, day.returns)
        loss = penalty - torch.log(nav)
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)  # <- culprit
        opt.step()
    return float(broker.nav)


def main() -> None:
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    cfg = Settings()
    torch.manual_seed(cfg.seed)
    policy = LinearPolicy(cfg.n_features, cfg.temperature)
    opt = torch.optim.SGD(policy.parameters(), lr=cfg.lr, momentum=0.9)
    for year in range(cfg.years):
        nav = run_year(year, cfg, policy, opt)
        log.info("year %d: final nav %.3f", year, nav)


main()
