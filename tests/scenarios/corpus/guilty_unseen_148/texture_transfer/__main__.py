# gradwatch-corpus: kind=second-backward
# holder: self.target | loss.target | self.losses | stylist.losses
# first-bad: 1
# notice: 0
import torch

from .features import TinyVGG
from .transfer import Stylist

torch.set_num_threads(1)


def stripes(size, period):
    x = torch.arange(size)
    return ((x[:, None] + x[None]) % period < period // 2).float().expand(1, 3, size, size).clone()


def main():
    torch.manual_seed(33)
    stylist = Stylist(TinyVGG(), content=torch.rand(1, 3, 32, 32), style=stripes(32, 8))
    image = stylist.content_image.clone().requires_grad_(True)
    opt = torch.optim.Adam([image], lr=0.03)
    for it in range(60):
        opt.zero_grad()
        loss = stylist.objective(image)
        loss.backward()
        opt.step()
        with torch.no_grad():
            image.clamp_(0, 1)
        if it % 10 == 0:
            print(f"{it:3d} objective {loss.item():.5f}")


if __name__ == "__main__":
    main()
