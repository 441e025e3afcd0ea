# gradwatch-corpus: kind=graph-held
# holder: self.series["anomaly/p95"] | registry.series["anomaly/p95"] | engine.registry.series["anomaly/p95"] | self.series
# first-bad: 1
"""Anomaly scores for radio cells from hourly KPI vectors."""
import torch

from engine import AlarmEngine
from kpi import CellFleet, FleetConfig
from metrics import MetricRegistry


def main() -> None:
    torch.manual_seed(301)
    cfg = FleetConfig()
    registry = MetricRegistry()
    engine = AlarmEngine(cfg, registry)
    engine.run(CellFleet(cfg, seed=302))
    print(registry.report())


if __name__ == "__main__":
    main()
