# gradwatch-corpus: kind=graph-held
# holder: self.tape | probe.tape | tape | probe.tape["gate.act"] | self.tape[tag]
# first-bad: 31
"""Slip prediction for a tactile gripper; activation statistics are collected once training has settled."""
import torch

from gripper import SlipNet, squeeze
from probes import ActivationProbe


def main(n=250, settle=30):
    torch.manual_seed(14)
    net = SlipNet()
    sgd = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.8)
    probe = ActivationProbe(net, wanted=("gate.act",))
    for i in range(n):
        if i == settle:
            probe.attach()
        taxels, slip = squeeze(i)
        bce = torch.nn.functional.binary_cross_entropy_with_logits(net(taxels), slip)
        sgd.zero_grad()
        bce.backward()
        sgd.step()
        if i % 50 == 0:
            print(f"grasp {i}: bce {bce.item():.4f}")
    for tag, (mean, dead) in probe.digest().items():
        print(f"{tag}: mean {mean:.3f} dead units {dead:.1%}")
    probe.detach_all()


if __name__ == "__main__":
    main()
