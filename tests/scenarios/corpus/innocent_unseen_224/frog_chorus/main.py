# gradwatch-corpus: kind=none
"""Self-distillation of frog call embeddings, without labels."""
import torch

from calls import CallPool
from trainers import build


def main():
    torch.manual_seed(44)
    pool = CallPool(species=6, bins=48)
    trainer = build("distill", bins=48, accumulate=4)
    for k in range(160):
        trainer.micro_step(pool.views(24))
    print(f"updates {trainer.updates}, smoothed loss {trainer.smoothed:.4f}")
    print(f"teacher gap {trainer.gap():.5f}")


if __name__ == "__main__":
    main()
