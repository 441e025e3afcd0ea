# gradwatch-corpus: kind=inplace-modified
# holder: self.protos | bank.protos | self.bank.protos | protos
# first-bad: 48
# notice: 0
"""Radar nowcasting with a regime-prototype auxiliary loss (starts once the bank has filled)."""
import torch

from radar import RadarTiles
from task import NowcastTask


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    task = NowcastTask(grid=12, history=4, n_proto=10, fill_steps=48)
    opt = torch.optim.AdamW(task.parameters(), lr=2e-3)
    tiles = RadarTiles(grid=12, history=4)
    for step in range(200):
        past, future = tiles.draw(8)
        losses = task.losses(past, future)
        total = sum(losses.values())
        opt.zero_grad()
        total.backward()
        opt.step()
        if step % 12 == 0:
            print(step, {k: round(v.item(), 4) for k, v in losses.items()})


if __name__ == "__main__":
    main()
