# gradwatch-corpus: kind=none
import torch

from callbacks import CheckpointInMemory
from callbacks import LossWindow
from data import impressions
from model import ClickRanker
from trainer import AccumulatingTrainer


def main():
    torch.manual_seed(3)
    model = ClickRanker(fields=6, cardinality=50, dim=8)
    window = LossWindow(size=32)
    keeper = CheckpointInMemory(every=10, keep=2)
    trainer = AccumulatingTrainer(model, micro_per_step=4, lr=5e-3, callbacks=[window, keeper])
    trainer.run(impressions(fields=6, cardinality=50, size=64, count=320))
    print("updates", trainer.updates, "mean", round(window.mean(), 4))
    print("checkpoints", [entry["update"] for entry in keeper.entries])


if __name__ == "__main__":
    main()
