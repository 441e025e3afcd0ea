# gradwatch-corpus: kind=graph-chain
# holder: self.table | memory.table | model.memory.table | net.memory.table
# first-bad: 1
# notice: 5
"""Temporal graph of trades between desks; scores whether a proposed link will trade next."""
import torch

torch.set_num_threads(1)

from .events import EventLog
from .model import LinkScorer
from .train import replay


def run():
    torch.manual_seed(15)
    log = EventLog(desks=14, events=1600, seed=15)
    net = LinkScorer(desks=14, width=6)
    replay(net, log, chunk=8)


run()
