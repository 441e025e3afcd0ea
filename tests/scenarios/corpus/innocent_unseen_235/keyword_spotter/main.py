# gradwatch-corpus: kind=none
import torch

from callbacks import ActivationStats, LossCurve, WorstBatch
from engine import Engine, SpotConfig


def main() -> None:
    cfg = SpotConfig()
    torch.manual_seed(cfg.seed)
    curve = LossCurve()
    engine = Engine(cfg, [curve, ActivationStats("pool", batches=6), WorstBatch()])
    engine.fit()
    best = torch.stack(curve.values).min().item()
    print(f"best batch loss {best:.4f} over {len(curve.values)} batches")


if __name__ == "__main__":
    main()
