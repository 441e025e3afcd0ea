# gradwatch-corpus: kind=graph-chain
# holder: bank | bank.data | self.bank | self.bank.data | trainer.bank | trainer.bank.data | bank[basin] | self.bank[basin] | self.data | self.data[key]
# first-bad: 1
# notice: 5
"""Lumped rainfall-runoff model for four basins, trained day-block by day-block."""
import torch

from config import Basin, RunConfig
from forcing import block_stream
from stores import StorageBank
from trainer import RunoffTrainer


def main():
    torch.set_num_threads(1)
    torch.manual_seed(11)
    cfg = RunConfig()
    bank = StorageBank(torch.float32, {b: torch.full((cfg.cells,), 0.5) for b in Basin})
    trainer = RunoffTrainer(cfg, bank)
    for i, blocks in zip(range(cfg.steps), block_stream(cfg)):
        nse = trainer.fit_block(blocks)
        if i % 40 == 0:
            print(f"block {i:4d}  mse {nse:.4f}  " +
                  " ".join(f"{b.name.lower()}={float(bank[b].mean().detach()):.2f}" for b in Basin))


if __name__ == "__main__":
    main()
