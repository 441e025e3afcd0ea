# gradwatch-corpus: kind=graph-held
# holder: self.spread[name] | self.spread | probe.spread | spread[name] | self.probe.spread
# first-bad: 1
"""Unrolled reconstruction of undersampled knee slices (synthetic ellipses here), with the
activation probe the clinical team asked for switched on."""
import torch

from phantoms import SliceFactory
from probe import ActivationProbe
from recon import CascadeNet
from runner import Hook, LRDecay, Runner, StdoutReport


class ProbeReport(Hook):
    def __init__(self, probe, every):
        self.probe = probe
        self.every = every

    def after_iter(self, runner):
        if (runner.iter + 1) % self.every == 0:
            for name, value in self.probe.averages().items():
                print(f"      {name:<22s} mean spread {value:.4f}")

    def after_run(self, runner):
        self.probe.remove()


def main(iters=220):
    torch.manual_seed(17)
    net = CascadeNet(cascades=2, width=10)
    probe = ActivationProbe(net, kinds=(torch.nn.Conv2d,))
    runner = Runner(
        model=net,
        optimizer=torch.optim.Adam(net.parameters(), lr=1e-3),
        hooks=[LRDecay(every=80, gamma=0.5), StdoutReport(every=55), ProbeReport(probe, every=110)],
    )
    runner.run(SliceFactory(size=24, batch=2, acceleration=3, seed=4), iters)


if __name__ == "__main__":
    main()
