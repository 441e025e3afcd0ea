# gradwatch-corpus: kind=graph-chain
# holder: self.level | self.trend | model.level | model.trend | self.model.level | self.model.trend
# first-bad: 1
import logging

import torch

from planner import LevelSeasonForecaster, PlannerConfig, Runner, sales_stream


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s | %(message)s")
    cfg = PlannerConfig()
    torch.manual_seed(cfg.seed)
    model = LevelSeasonForecaster(cfg)
    runner = Runner(model, cfg)
    runner.run(sales_stream(cfg))
    logging.getLogger("planner").info("final season profile %s", [round(v, 3) for v in model.season.tolist()])


if __name__ == "__main__":
    main()
