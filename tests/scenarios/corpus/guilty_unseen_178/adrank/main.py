# gradwatch-corpus: kind=graph-chain
# holder: self.level[name] | balancer.level[name] | self.level | balancer.level
# first-bad: 1
import logging

import torch

from engine import RankEngine
from objectives import LossBalancer, build_objective
from ranker import SharedLinearRanker
from stream import ImpressionStream, StreamConfig

log = logging.getLogger("adrank")


def main():
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(17)
    cfg = StreamConfig(fields=6, buckets=40, batch=32, steps=420)
    model = SharedLinearRanker(cfg.buckets)
    objectives = {name: build_objective(name) for name in ("click", "dwell")}
    balancer = LossBalancer(objectives, decay=0.95)
    engine = RankEngine(model, balancer, lr=0.05)
    for step, impressions in enumerate(ImpressionStream(cfg)):
        summary = engine.fit_batch(impressions)
        if step % 100 == 0:
            log.info("step %d click %.4f dwell %.4f", step, summary["click"], summary["dwell"])


if __name__ == "__main__":
    main()
