# gradwatch-corpus: kind=graph-held
# holder: state.outputs | self.state.outputs | engine.state.outputs | self.defaults["outputs"] | self.defaults | factory.defaults | self.make_state.defaults
# first-bad: 1
# notice: 8
import torch

from denoise.callbacks import EpochReport, GainSchedule
from denoise.engine import Engine
from denoise.nets import PatchDenoiser
from denoise.state import StateFactory

torch.set_num_threads(1)
torch.manual_seed(2024)


def patches(n_batches, size=12, batch=16):
    base = torch.linspace(-1, 1, size)
    for _ in range(n_batches):
        fx, fy = torch.rand(2, batch, 1, 1) * 3
        clean = torch.sin(fx * base.view(1, -1, 1)) * torch.cos(fy * base.view(1, 1, -1))
        yield clean.unsqueeze(1) + 0.2 * torch.randn(batch, 1, size, size), clean.unsqueeze(1)


if __name__ == "__main__":
    net = PatchDenoiser(width=8)
    engine = Engine(
        net,
        torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9),
        make_state=StateFactory(track=("psnr", "residual_power")),
        callbacks=[GainSchedule(0.9), EpochReport()],
    )
    engine.run(lambda: patches(15), epochs=20)
