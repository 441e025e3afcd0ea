# gradwatch-corpus: kind=inplace-modified
# holder: self.stale | self.model.stale | model.stale
# first-bad: 3
"""Which bees forage tomorrow? A graph net over food-exchange contacts with historical embeddings for unsampled bees."""
import torch

from colony import Colony
from gossip import GossipNet
from keeper import Keeper

HIVE = {
    "bees": 120,
    "traits": 9,
    "width": 24,
    "sampled": 40,
    "refresh_every": 4,
    "days": 100,
    "lr": 5e-3,
}


def main():
    torch.manual_seed(31)
    colony = Colony(HIVE["bees"], HIVE["traits"])
    model = GossipNet(HIVE)
    keeper = Keeper(model, colony, HIVE)
    keeper.work()


if __name__ == "__main__":
    main()
