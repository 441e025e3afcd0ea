# gradwatch-corpus: kind=graph-chain
# holder: self.vectors | profiles.vectors | trainer.profiles.vectors | self.profiles.vectors
# first-bad: 1
import torch

from clickstream import Clickstream
from config import RankerConfig
from ranker import NextItemRanker
from profiles import ProfileTable
from trainer import OnlineTrainer


def main():
    config = RankerConfig()
    torch.manual_seed(config.seed)
    stream = Clickstream(config)
    ranker = NextItemRanker(config)
    profiles = ProfileTable(config)
    trainer = OnlineTrainer(config, ranker, profiles)
    for tick, event in enumerate(stream.events()):
        loss = trainer.consume(event)
        if tick % 20 == 0:
            print(f"tick {tick:3d} bce {loss:.4f}")


if __name__ == "__main__":
    main()
