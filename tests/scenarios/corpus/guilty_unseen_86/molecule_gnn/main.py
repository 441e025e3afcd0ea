# gradwatch-corpus: kind=second-backward
# holder: out.nodes | nodes | out | h
# first-bad: 25
# notice: 0
import torch

from graphs import ring_and_chain_batch
from layers import GraphNet
from objectives import OBJECTIVES
from trainer import GraphTrainer


def main():
    torch.manual_seed(4)
    torch.set_num_threads(1)
    net = GraphNet(n_feat=5, width=24, depth=2)
    plan = [("property", 1), ("mask", 25)]
    trainer = GraphTrainer(
        net,
        optimizer=torch.optim.Adam(net.parameters(), lr=5e-3),
        plan=[(name, OBJECTIVES[name], every) for name, every in plan],
    )
    trainer.run(lambda: ring_and_chain_batch(12, 5), steps=200)


if __name__ == "__main__":
    main()
