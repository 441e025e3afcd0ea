# gradwatch-corpus: kind=none
import torch

from candidates import CandidateIndex
from interactions import Interactions
from model import RecModel
from trainer import EpochTrainer


def main():
    torch.manual_seed(62)
    data = Interactions(users=50, items=90, seed=62)
    model = RecModel(50, 90, 24)
    index = CandidateIndex(model)
    trainer = EpochTrainer(model, index, data)
    for epoch in range(5):
        loss, aux = trainer.run_epoch(24)
        print(f"epoch {epoch} bpr {loss:.4f} align {aux:.4f} cached {index.hits}/{index.hits + index.misses}")


if __name__ == "__main__":
    main()
