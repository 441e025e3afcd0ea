# gradwatch-corpus: kind=crashed
# first-bad: 110
# notice: 0
import torch

torch.set_num_threads(1)

from blocks import IceColumn
from runtime import Knobs, Runtime


def columns(n):
    depth = torch.linspace(0, 1, 10)
    surf = torch.rand(n, 1) * 4 - 2
    temp = surf * torch.exp(-3 * depth) + 0.1 * torch.randn(n, 10)
    flow = (temp.clamp(min=-1).mean(1, keepdim=True) * 0.7).tanh()
    return temp, flow


if __name__ == "__main__":
    torch.manual_seed(2)
    knobs = Knobs.parse({"lr": 4e-3, "low_memory_from": 110, "steps": 420})
    rt = Runtime(IceColumn(), knobs)
    while rt.running:
        rt.advance(*columns(20))
    print("final", rt.trail[-1])
