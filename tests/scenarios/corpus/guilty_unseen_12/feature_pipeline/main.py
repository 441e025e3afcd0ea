# gradwatch-corpus: kind=memory-climb
# holder: self.state.delivered | loader.state.delivered | state.delivered | self.delivered | self.loader.state.delivered
# first-bad: 1
"""Feature regression fed by a prefetching, resumable loader. After an interruption the loader
can deliver the most recent batches once more."""
import torch
from torch import nn

from config import DataConfig, RunConfig
from loader import ResumableLoader


class Regressor(nn.Sequential):
    def __init__(self, width):
        super().__init__(nn.Linear(width, 32), nn.ReLU(), nn.Linear(32, 1))


def fit(cfg: RunConfig):
    torch.manual_seed(cfg.seed)
    model = Regressor(cfg.data.width)
    opt = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    with ResumableLoader(cfg.data) as loader:
        for step, batch in zip(range(cfg.steps), loader):
            loss = nn.functional.mse_loss(model(batch.x), batch.y)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            if step % 60 == 0:
                print(f"step {step:3d}  loss {loss.item():.4f}  loader position {loader.state.position}")
        print("position at the end:", loader.state_dict())


if __name__ == "__main__":
    fit(RunConfig(data=DataConfig(batch=320, width=256)))
