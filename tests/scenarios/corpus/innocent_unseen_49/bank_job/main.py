# gradwatch-corpus: kind=none
import torch

from bank import FeatureBank
from trainer import ContrastTrainer


def views(n_steps, size=32, dim=18):
    pool = torch.randn(300, dim)
    for _ in range(n_steps):
        base = pool[torch.randint(300, (size,))]
        yield base + 0.2 * torch.randn_like(base), base + 0.2 * torch.randn_like(base)


if __name__ == "__main__":
    torch.manual_seed(17)
    trainer = ContrastTrainer(dim=18, width=24, bank=FeatureBank(slots=6))
    for a, b in views(90):
        trainer.step(a, b)
    print("final", trainer.meter)
