# gradwatch-corpus: kind=inplace-modified
# holder: self.mixing.weight | rhs.mixing.weight | module.weight | model.rhs.mixing.weight | self._layer.weight | layer.weight | outcome | trajectory
# first-bad: 20
# notice: 0
"""Age-structured SIR as a neural ODE; contact rates must not become negative."""
import torch

from callbacks import CallbackList, LossLog, NonNegativeFrom
from config import FitConfig
from dynamics import AgeSIR, Rk4
from trainer import FitService, SimulatedRegions

torch.set_num_threads(1)

def compose(cfg: FitConfig) -> FitService:
    torch.manual_seed(cfg.seed)
    rhs = AgeSIR(cfg.groups, cfg.hidden)
    log = LossLog(every=10)
    return FitService(
        rhs=rhs,
        solver=Rk4(cfg.dt),
        regions=SimulatedRegions(cfg),
        callbacks=CallbackList([NonNegativeFrom(rhs.mixing, cfg.settle), log]),
        cfg=cfg,
    )

if __name__ == "__main__":
    compose(FitConfig()).fit()
