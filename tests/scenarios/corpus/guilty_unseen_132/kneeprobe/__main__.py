# gradwatch-corpus: kind=graph-held
# holder: self.taps | probe.taps | self.taps["fuse"] | probe.taps["fuse"]
# first-bad: 1
# notice: 8
import torch

torch.set_num_threads(1)

from .gait import GaitNet, strides
from .probe import Probe


def main():
    torch.manual_seed(640)
    net = GaitNet()
    probe = Probe(net, watch=["fuse"])
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.8)
    for step in range(400):
        imu, angle = strides(12)
        loss = (net(imu) - angle).abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 80 == 0:
            print(step, f"{loss.item():.3f}", {k: f"{v:.3f}" for k, v in probe.spread().items()})


if __name__ == "__main__":
    main()
