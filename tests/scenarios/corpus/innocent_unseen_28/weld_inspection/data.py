import torch
from torch.utils.data import Dataset


class WeldImages(Dataset):
    """A horizontal seam; defects are small dark pores on it."""

    def __init__(self, n: int, first_id: int, size: int = 36) -> None:
        g = torch.Generator().manual_seed(first_id + 1)
        y = torch.arange(size).float()
        centre = size / 2 + 3 * torch.randn(n, 1, generator=g)
        seam = torch.exp(-((y - centre) ** 2) / 18)
        self.image = seam.unsqueeze(2).repeat(1, 1, size) + 0.15 * torch.randn(n, size, size, generator=g)
        self.defect = torch.randint(0, 2, (n,), generator=g)
        for i in torch.nonzero(self.defect).flatten().tolist():
            r = int(centre[i].clamp(4, size - 5))
            c = int(torch.randint(4, size - 4, (1,), generator=g))
            self.image[i, r - 2:r + 3, c - 2:c + 3] -= 1.2
        self.first_id = first_id

    def __len__(self) -> int:
        return len(self.defect)

    def __getitem__(self, i: int):
        return {"id": self.first_id + i, "image": self.image[i].unsqueeze(0), "defect": self.defect[i]}
