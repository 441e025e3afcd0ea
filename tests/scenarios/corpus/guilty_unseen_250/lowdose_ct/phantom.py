import torch
import torch.nn.functional as F


class PhantomScanner:
    def __init__(self, size):
        self.size = size

    def scan(self, batch):
        coarse = torch.rand(batch, 1, self.size // 4, self.size // 4)
        full_dose = F.interpolate(coarse, size=(self.size, self.size), mode="bilinear", align_corners=False)
        low_dose = full_dose + 0.2 * torch.randn_like(full_dose)
        return low_dose, full_dose
