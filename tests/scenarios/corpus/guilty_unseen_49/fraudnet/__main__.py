# gradwatch-corpus: kind=graph-held
# holder: self.stats | net.stats | engine.net.stats | self.net.stats
# first-bad: 1
import torch

from .data import transactions
from .engine import Engine, EngineConfig
from .tracking import Monitored
from .nets import Scorer


def main() -> None:
    torch.manual_seed(20)
    cfg = EngineConfig(steps=100, lr=5e-3, log_every=25)
    net = Monitored(Scorer(n_features=16, width=40))
    engine = Engine(net, cfg)
    engine.run(transactions(cfg.steps, batch=96, n_features=16))

    first, last = net.summary()
    print(f"score mean moved {first:.3f} -> {last:.3f}")


if __name__ == "__main__":
    main()
