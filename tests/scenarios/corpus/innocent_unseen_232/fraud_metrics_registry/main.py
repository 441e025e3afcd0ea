# gradwatch-corpus: kind=none
import torch

from features import AccountFeatureStore
from registry import MetricRegistry
from scorer import SequenceScorer
from train import FraudTrainer


def main():
    torch.manual_seed(18)
    store = AccountFeatureStore(dim=16, capacity=40)
    registry = MetricRegistry(window=50)
    scorer = SequenceScorer(n_in=8, dim=16)
    trainer = FraudTrainer(scorer, store, registry)
    for step in range(120):
        trainer.step(step)
        if step % 30 == 29:
            print(step + 1, registry.render())
    print("accounts kept", len(store), "evicted", store.evicted)


if __name__ == "__main__":
    main()
