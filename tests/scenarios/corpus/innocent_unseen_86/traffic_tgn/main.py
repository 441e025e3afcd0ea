# gradwatch-corpus: kind=none
"""Sensor network: predict next flow at each junction, with a node memory."""
import torch

from tgn.log import RunLog
from tgn.loop import fit
from tgn.model import MemoryNet
from tgn.roads import RoadFlow


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2)
    roads = RoadFlow(n=30, k=3)
    net = MemoryNet(30, 12, roads.adj)
    log = RunLog()
    fit(net, roads, log, steps=340, accumulate=1)
    print(log.table())


if __name__ == "__main__":
    main()
