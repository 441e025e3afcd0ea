# gradwatch-corpus: kind=inplace-modified
# holder: self.prototypes.weight | prototypes.weight | net.prototypes.weight | self.net.prototypes.weight | trainer.net.prototypes.weight | weight | layer.weight
# first-bad: 20
# notice: 0
"""Grouping of shop receipts around learned unit-length prototypes."""
import torch

from hooks import HOOKS
from net import ProtoNet
from trainer import ProtoTrainer, Spec


def main():
    torch.set_num_threads(1)
    spec = Spec()
    torch.manual_seed(spec.seed)
    net = ProtoNet(spec.items, spec.width, spec.groups)
    trainer = ProtoTrainer(spec, net)
    for name, options in spec.hooks.items():
        trainer.add(HOOKS[name](**options))
    trainer.fit()


if __name__ == "__main__":
    main()
