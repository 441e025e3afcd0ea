# gradwatch-corpus: kind=none
"""GradNorm loss balancing for depth / segmentation / normals heads on toy 2-d scenes."""
import torch

torch.set_num_threads(1)
torch.manual_seed(90)

from balance import GradNorm
from data import scene_batch
from models import SceneNet


def main(steps=450):
    net = SceneNet(ch=6)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    balancer = GradNorm(n_tasks=3, alpha=0.8, lr=1e-2)
    for step in range(steps):
        img, targets = scene_batch(6)
        losses = net.losses(net(img), targets)
        opt.zero_grad()
        info = balancer.backward(losses, net.shared_weight())
        opt.step()
        balancer.step()
        if step % 90 == 0:
            print(step, "losses", [round(l.item(), 3) for l in losses],
                  "weights", [round(w, 3) for w in balancer.current()], "gn", round(info, 4))


if __name__ == "__main__":
    main()
