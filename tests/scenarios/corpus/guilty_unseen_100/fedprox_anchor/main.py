# gradwatch-corpus: kind=graph-chain
# holder: self.anchor | self.anchor[name] | penalty.anchor | engine.penalty.anchor
# first-bad: 1
# notice: 5
"""Local client training with a proximal pull towards a slowly moving anchor of the weights."""
import torch

from callbacks import AnchorRefresh, ConsoleLog, LrDecay
from config import RunConfig
from data import client_batches
from engine import Engine
from nets import build_net
from penalties import build_penalty


def main():
    torch.set_num_threads(1)
    cfg = RunConfig()
    torch.manual_seed(cfg.seed)
    net = build_net(cfg.net)
    penalty = build_penalty(cfg.penalty, net)
    engine = Engine(
        net=net,
        optimizer=torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9),
        penalty=penalty,
        callbacks=[LrDecay(every=100), AnchorRefresh(), ConsoleLog(every=60)],
    )
    engine.fit(client_batches(cfg), rounds=cfg.rounds)
    print("final", engine.log.tail(3))


if __name__ == "__main__":
    main()
