import torch


class Sheet:
    """A scanned herbarium sheet; the image is drawn anew from its number when asked for."""
    __slots__ = ("number", "kind", "side")

    def __init__(self, number, kinds, side=48):
        self.number, self.kind, self.side = number, number * 7 % kinds, side

    def image(self):
        g = torch.Generator().manual_seed(self.number)
        y, x = torch.meshgrid(*(torch.linspace(-3, 3, self.side),) * 2, indexing="ij")
        petals = 3 + self.kind
        leaf = torch.cos(petals * torch.atan2(y, x)) - (x * x + y * y).sqrt() / 2
        return (leaf + 0.4 * torch.randn(self.side, self.side, generator=g)).unsqueeze(0)


class Folder:
    def __init__(self, folder, per=12, kinds=6):
        self.folder = folder
        self.sheets = [Sheet(folder * per + i, kinds) for i in range(per)]

    @property
    def kinds(self):
        return torch.tensor([s.kind for s in self.sheets])

    def images(self):
        return torch.stack([s.image() for s in self.sheets])
