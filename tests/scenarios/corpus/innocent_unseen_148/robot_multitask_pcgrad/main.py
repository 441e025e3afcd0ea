# gradwatch-corpus: kind=none
import torch

from heads import PerceptionNet
from scenes import scene_batch
from surgery import PCGrad

torch.set_num_threads(1)


def main(steps=70):
    torch.manual_seed(90)
    net = PerceptionNet()
    opt = PCGrad(net, torch.optim.Adam(net.parameters(), lr=2e-3))
    conflicts = 0
    curve = {name: [] for name in ("grasp", "depth", "slip")}
    for step in range(steps):
        losses = net.losses(*scene_batch(12))
        conflicts += opt.step(losses)
        for name, value in losses.items():
            curve[name].append(value.item())
        if step % 14 == 13:
            tail = {k: round(sum(v[-10:]) / 10, 3) for k, v in curve.items()}
            print(step + 1, tail, "conflicts", conflicts)


if __name__ == "__main__":
    main()
