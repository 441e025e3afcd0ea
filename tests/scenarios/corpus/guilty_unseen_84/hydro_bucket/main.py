# gradwatch-corpus: kind=graph-chain
# holder: bank._slots | bank._slots["upper"] | self._slots | self._slots[catchment] | run.bank._slots | trainer.bank._slots | trainer.bank._slots['upper']
# first-bad: 1
# notice: 5
"""Calibrate the two-bucket runoff model on the synthetic upper catchment."""
import torch

from forcing import chunks
from model import TwoBucket
from trainer import ChunkTrainer, Progress


def main():
    torch.set_num_threads(1)
    torch.manual_seed(84)
    net = TwoBucket(n_cells=6, n_forcing=4)
    trainer = ChunkTrainer(net, lr=2e-2, catchment="upper")
    trainer.bus.on("chunk:end", Progress(every=40))
    trainer.fit(chunks(n_chunks=135, days=2, n_cells=6))
    k_quick, k_slow = net.rates()
    print(f"recession: quick {k_quick.mean().item():.3f} slow {k_slow.mean().item():.3f}")


if __name__ == "__main__":
    main()
