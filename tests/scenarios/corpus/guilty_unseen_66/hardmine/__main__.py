# gradwatch-corpus: kind=graph-held
# holder: self.score | sampler.score | engine.sampler.score | self.sampler.score
# first-bad: 1
# notice: 8
import torch
from torch import nn

from .engine import Engine, EngineConfig
from .registry import SAMPLERS

torch.set_num_threads(1)


class Contacts(torch.utils.data.Dataset):
    """Synthetic stand-in for the sensor-contact table: 40 features, a rare positive class."""

    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.x = torch.randn(n, 40, generator=g)
        w = torch.randn(40, generator=g)
        self.y = ((self.x @ w) / 6.3 + 0.3 * torch.randn(n, generator=g) > 1.1).float()

    def __len__(self):
        return len(self.y)

    def __getitem__(self, idx):
        return self.x[idx], self.y[idx]


def build_model():
    return nn.Sequential(nn.Linear(40, 128), nn.SiLU(), nn.Linear(128, 64), nn.SiLU(), nn.Linear(64, 1), nn.Flatten(0))


if __name__ == "__main__":
    torch.manual_seed(5)
    cfg = EngineConfig()
    data = Contacts(8000, seed=1)
    sampler = SAMPLERS.build(cfg.sampler, size=len(data), batch=cfg.batch, fresh=0.5)
    engine = Engine(cfg, build_model(), data, sampler)
    engine.run()
    print("hardest:", sampler.hardest(5))
