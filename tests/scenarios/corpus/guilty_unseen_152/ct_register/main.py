# gradwatch-corpus: kind=graph-chain
# holder: self.objective | engine.objective
# first-bad: 1
import torch
from torch.nn import functional as F

from affine import AffineEngine


def slices(count, size=24, seed=6):
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    out = []
    for _ in range(count):
        image = torch.zeros(size, size)
        for _ in range(4):
            cy, cx, r = torch.rand(3, generator=gen).tolist()
            image += torch.exp(-((yy - cy + 0.5) ** 2 + (xx - cx + 0.5) ** 2) / (0.03 + 0.1 * r))
        out.append(image)
    return torch.stack(out).unsqueeze(1)


def displaced(images, angle=0.2, scale=1.1, shift=(0.1, -0.05)):
    c, s = scale * torch.cos(torch.tensor(angle)), scale * torch.sin(torch.tensor(angle))
    theta = torch.tensor([[c, -s, shift[0]], [s, c, shift[1]]]).expand(images.shape[0], 2, 3)
    grid = F.affine_grid(theta, list(images.shape), align_corners=False)
    return F.grid_sample(images, grid, padding_mode="border", align_corners=False)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(6)
    moving = slices(12)
    fixed = displaced(moving)
    pairs = [(fixed[k:k + 4], moving[k:k + 4]) for k in range(0, 12, 4)]
    engine = AffineEngine()
    mean = engine.register(pairs)
    print(f"mean ssd {mean:.5f}  angle {engine.angle.item():+.3f}  scale {engine.log_scale.exp().item():.3f}")


if __name__ == "__main__":
    main()
