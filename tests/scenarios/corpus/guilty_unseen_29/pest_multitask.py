# gradwatch-corpus: kind=inplace-modified
# first-bad: 1
"""Trap-image descriptors -> (species, count).  Both heads share a trunk."""
from typing import NamedTuple

import torch
from torch import Tensor, nn, optim


class TrapBatch(NamedTuple):
    descriptor: Tensor
    species: Tensor
    count: Tensor


class TrapNet(nn.Module):
    def __init__(self, n_in: int = 20, width: int = 32, n_species: int = 5) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_in, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.species_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, n_species))
        self.count_head = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, 1))

    def forward(self, descriptor: Tensor) -> tuple[Tensor, Tensor]:
        shared = self.trunk(descriptor)
        return self.species_head(shared), self.count_head(shared).squeeze(-1)


class TrapSource:
    def __init__(self, batch_size: int) -> None:
        self.batch_size = batch_size
        self.prototypes = torch.randn(5, 20)

    def __iter__(self):
        return self

    def __next__(self) -> TrapBatch:
        species = torch.randint(5, (self.batch_size,))
        count = torch.rand(self.batch_size) * 3
        noise = 0.3 * torch.randn(self.batch_size, 20)
        return TrapBatch(self.prototypes[species] * (0.5 + count[:, None]) + noise, species, count)


class AlternatingTrainer:
    def __init__(self, model: TrapNet, lr: float) -> None:
        self.model = model
        self.optimizer = optim.Adam(model.parameters(), lr=lr)
        self.species_loss = nn.CrossEntropyLoss()
        self.count_loss = nn.SmoothL1Loss()

    def update(self, batch: TrapBatch) -> tuple[float, float]:
        logits, count = self.model(batch.descriptor)
        loss_s = self.species_loss(logits, batch.species)
        loss_c = self.count_loss(count, batch.count)

        self.optimizer.zero_grad()
        loss_s.backward(retain_graph=True)
        self.optimizer.step()  # <- culprit

        loss_c.backward()
        self.optimizer.step()
        return loss_s.item(), loss_c.item()


def main(n_updates: int = 200) -> None:
    torch.manual_seed(12)
    trainer = AlternatingTrainer(TrapNet(), lr=1e-3)
    for n, batch in zip(range(n_updates), TrapSource(batch_size=32)):
        s, c = trainer.update(batch)
        if n % 50 == 0:
            print(f"update {n}: species {s:.3f}, count {c:.3f}")


if __name__ == "__main__":
    main()
