# gradwatch-corpus: kind=graph-held
# holder: weigher.past | self.past | weigher.past["depth"] | weigher.past[task]
# first-bad: 1
# notice: 8
"""Depth, normals and road mask from one tiny trunk; task weights by loss descent rate."""
import torch

torch.set_num_threads(1)
torch.manual_seed(44)

from nets import SceneNet, task_losses
from balance import DescentWeigher


def scenes(count, g):
    for _ in range(count):
        img = torch.rand(3, 3, 8, 8, generator=g)
        depth = img.mean(1, keepdim=True) * 2
        normal = torch.nn.functional.normalize(img - 0.5, dim=1)
        mask = (img[:, :1] > 0.5).float()
        yield img, {"depth": depth, "normal": normal, "road": mask}


def main(epochs=6, per_epoch=60):
    g = torch.Generator().manual_seed(1)
    net = SceneNet(8)
    weigher = DescentWeigher(tasks=("depth", "normal", "road"), temperature=2.0)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(epochs):
        for img, truth in scenes(per_epoch, g):
            losses = task_losses(net(img), truth)
            total = weigher.combine(losses)
            opt.zero_grad()
            total.backward()
            opt.step()
        print(epoch, {t: round(v.item(), 3) for t, v in losses.items()}, weigher.weights)


main()
