from torch import nn


class FeatureTap:
    """Hands out what a module has put out since the last call, once."""

    def __init__(self, module):
        self._outputs = []
        self._handle = module.register_forward_hook(self._keep)

    def _keep(self, module, args, output):
        self._outputs.append(output)

    def take(self):
        return self._outputs.pop()

    def close(self):
        self._handle.remove()


class TileCoder(nn.Module):
    def __init__(self, width, codebook):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv2d(1, width, 4, 2, 1), nn.ReLU(), nn.Conv2d(width, width, 4, 2, 1),
        )
        self.codebook = codebook
        self.decoder = nn.Sequential(
            nn.ConvTranspose2d(width, width, 4, 2, 1), nn.ReLU(), nn.ConvTranspose2d(width, 1, 4, 2, 1),
        )

    def forward(self, tiles):
        latent = self.encoder(tiles)
        quantised, commit, codes = self.codebook(latent)
        return self.decoder(quantised), commit, codes
