# gradwatch-corpus: kind=crashed
# line: net.py:16: bits = z >= 0
# first-bad: 60
# notice: 0
import torch
torch.set_num_threads(1)

from .net import HashNet
from .schedule import Curriculum, Stage


def pairwise_objective(codes, labels, bits):
    sim = (labels[:, None] == labels[None]).float() * 2 - 1
    gram = codes @ codes.t() / bits
    return (gram - sim).pow(2).mean()


def run():
    torch.manual_seed(3)
    centers = torch.randn(5, 32)
    net = HashNet(32, 16)
    opt = torch.optim.RMSprop(net.parameters(), lr=1e-3)
    plan = Curriculum([
        Stage("soft", steps=30, sharpness=1.0),
        Stage("sharp", steps=30, sharpness=4.0),
        Stage("discrete", steps=240, sharpness=float("inf")),
    ])
    for stage, step in plan:
        net.binarise.sharpness = stage.sharpness
        lab = torch.randint(0, 5, (24,))
        img = centers[lab] + 0.3 * torch.randn(24, 32)
        obj = pairwise_objective(net(img), lab, 16)
        opt.zero_grad(set_to_none=True)
        obj.backward()
        opt.step()
        if step % 20 == 0:
            print(stage.name, step, round(obj.item(), 4))


if __name__ == "__main__":
    run()
