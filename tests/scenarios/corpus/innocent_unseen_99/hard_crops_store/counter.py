from torch import nn


class BlobCounter(nn.Module):
    """Density map whose sum is the count."""

    def __init__(self, width=8):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(1, width, 3, padding=1), nn.ReLU(),
            nn.Conv2d(width, 1, 3, padding=1), nn.Softplus(beta=5.0))

    def forward(self, img):
        return 0.05 * self.layers(img).sum(dim=(1, 2, 3))
