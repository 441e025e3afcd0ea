import torch
from torch import nn
import torch.nn.functional as F


class CTNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2, padding=1)
        self.fc = nn.Linear(8 * 64, 32)
        self.organ, self.density, self.contrast = nn.Linear(32, 4), nn.Linear(32, 1), nn.Linear(32, 1)

    def shared_weight(self):
        return self.fc.weight

    def losses(self, x, targets):
        h = torch.relu(self.fc(torch.relu(self.conv(x)).flatten(1)))
        return {
            "organ": F.cross_entropy(self.organ(h), targets["organ"]),
            "density": F.mse_loss(self.density(h).squeeze(-1), targets["density"]),
            "contrast": F.binary_cross_entropy_with_logits(self.contrast(h).squeeze(-1), targets["contrast"]),
        }
