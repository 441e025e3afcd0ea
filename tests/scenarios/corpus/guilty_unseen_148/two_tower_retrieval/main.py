# gradwatch-corpus: kind=graph-held
# holder: self.vectors | self.vectors[item] | self.negatives.vectors | trainer.negatives.vectors
# first-bad: 1
# notice: 8
import torch

from data import interactions
from towers import TwoTower
from trainer import RetrievalTrainer

torch.set_num_threads(1)
torch.manual_seed(17)

N_USERS, N_ITEMS = 400, 6000


def main():
    model = TwoTower(N_USERS, N_ITEMS, dim=16)
    trainer = RetrievalTrainer(model, lr=5e-3, n_neg=24)
    for step, (u, i) in enumerate(interactions(N_USERS, N_ITEMS, batch=24, steps=100)):
        loss = trainer.step(u, i)
        if step % 25 == 0:
            print(f"[{step}] nce={loss:.4f} pool={len(trainer.negatives)}")


if __name__ == "__main__":
    main()
