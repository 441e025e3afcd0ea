# gradwatch-corpus: kind=none
"""Grasp quality network with an auxiliary slip head; telemetry, gradient surgery and fault recording all live on the
bus, the loop only publishes."""
import torch
import torch.nn.functional as F

from bus import Bus
from grasp import GraspNet, slip_guard, SlipFault, tactile_batch
from services import FaultRecorder, FeatureTap, Telemetry


class Session:
    def __init__(self, steps=260, seed=8):
        torch.manual_seed(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.steps = steps
        self.bus = Bus()
        self.net = GraspNet()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.services = [Telemetry(self.bus), FaultRecorder(self.bus, keep=32), FeatureTap(self.bus)]

    def step(self, n):
        x, good, slip = tactile_batch(48, self.gen)
        with self.bus.scope(), self.services[2].tapped(self.net.trunk) as tap:
            quality, slip_hat = self.net(x)
            main_loss = F.binary_cross_entropy_with_logits(quality, good)
            aux_loss = F.mse_loss(slip_hat, slip)
            loss = main_loss + 0.5 * aux_loss + 1e-3 * tap.penalty()
            self.bus.later("losses", step=n, main=main_loss, aux=aux_loss, total=loss)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            try:
                slip_guard(n, slip_hat)
            except SlipFault as fault:
                self.bus.later("fault", step=n, error=fault)

    def run(self):
        for n in range(self.steps):
            self.step(n)
            if (n + 1) % 65 == 0:
                self.bus.now("report", step=n + 1)


if __name__ == "__main__":
    Session().run()
