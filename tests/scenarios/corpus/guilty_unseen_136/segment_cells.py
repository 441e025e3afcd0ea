# gradwatch-corpus: kind=memory-climb
# holder: self.maps | gallery.maps
# first-bad: 1
# notice: 60
"""Cell nucleus segmentation on synthetic microscopy tiles; a gallery of probability maps for the report."""
import torch
import torch.nn as nn

torch.set_num_threads(1)

SIDE = 64


def tiles(n, gen):
    yy, xx = torch.meshgrid(torch.arange(SIDE), torch.arange(SIDE), indexing="ij")
    img = 0.2 * torch.randn(n, 1, SIDE, SIDE, generator=gen)
    mask = torch.zeros(n, 1, SIDE, SIDE)
    for k in range(n):
        for _ in range(4):
            cy, cx = torch.randint(6, SIDE - 6, (2,), generator=gen).tolist()
            rad = 3 + 4 * torch.rand((), generator=gen).item()
            disc = ((yy - cy) ** 2 + (xx - cx) ** 2 < rad ** 2)
            mask[k, 0][disc] = 1.0
    return img + 0.8 * mask, mask


class TinyUNet(nn.Module):
    def __init__(self, c=4):
        super().__init__()
        self.enc = nn.Conv2d(1, c, 3, padding=1)
        self.mid = nn.Conv2d(c, c, 3, padding=1)
        self.dec = nn.Conv2d(2 * c, 1, 3, padding=1)

    def forward(self, x):
        e = torch.relu(self.enc(x))
        m = torch.relu(self.mid(nn.functional.max_pool2d(e, 2)))
        up = nn.functional.interpolate(m, scale_factor=2, mode="nearest")
        return self.dec(torch.cat([e, up], 1))


class Gallery:
    """Collects what the network saw and said, to render a contact sheet at the end."""

    def __init__(self, per_sheet=8):
        self.maps = []
        self.per_sheet = per_sheet

    def add(self, logits):
        prob = torch.sigmoid(logits.detach())
        self.maps.append(prob)  # <- culprit

    def sheet(self):
        recent = torch.cat(self.maps[-2:])[:self.per_sheet]
        return torch.nn.functional.avg_pool2d(recent, 8)


def dice_loss(logits, mask, eps=1.0):
    p = torch.sigmoid(logits)
    inter = (p * mask).sum((1, 2, 3))
    return (1 - (2 * inter + eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + eps)).mean()


def main(iters=320):
    torch.manual_seed(101)
    gen = torch.Generator().manual_seed(101)
    stock = [tiles(10, gen) for _ in range(6)]
    net, gallery = TinyUNet(), Gallery()
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for it in range(iters):
        img, mask = stock[it % len(stock)]
        logits = net(img)
        loss = dice_loss(logits, mask) + nn.functional.binary_cross_entropy_with_logits(logits, mask)
        opt.zero_grad()
        loss.backward()
        opt.step()
        gallery.add(logits)
        if it % 80 == 0:
            print(it, "loss", round(loss.item(), 4))
    print("sheet", tuple(gallery.sheet().shape))


main()
