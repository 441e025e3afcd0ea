# gradwatch-corpus: kind=graph-held
# holder: self._cache | recommender._cache | self.recommender._cache
# first-bad: 1
import torch

from data import InteractionData
from engine import fit
from model import LightGCNRec


def main():
    torch.manual_seed(3)
    data = InteractionData(n_users=120, n_items=200, density=0.05, seed=3)
    recommender = LightGCNRec(data.n_users, data.n_items, dim=24, n_layers=2, adj=data.norm_adj())
    fit(recommender, data, epochs=8, batches=15)


if __name__ == "__main__":
    main()
