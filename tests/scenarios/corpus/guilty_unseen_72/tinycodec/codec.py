import torch.nn as nn

from quantizer import ResidualVQ


class Codec(nn.Module):
    def __init__(self, channels, levels, codebook_size):
        super().__init__()
        c = channels
        self.encoder = nn.Sequential(
            nn.Conv1d(1, c, 8, stride=4, padding=2), nn.ELU(),
            nn.Conv1d(c, c, 8, stride=4, padding=2), nn.ELU(),
            nn.Conv1d(c, c, 3, padding=1))
        self.rvq = ResidualVQ(levels, codebook_size, c)
        self.decoder = nn.Sequential(
            nn.Conv1d(c, c, 3, padding=1), nn.ELU(),
            nn.ConvTranspose1d(c, c, 8, stride=4, padding=2), nn.ELU(),
            nn.ConvTranspose1d(c, 1, 8, stride=4, padding=2), nn.Tanh())

    def forward(self, wav):
        z = self.encoder(wav).transpose(1, 2)
        q, commit = self.rvq(z)
        return self.decoder(q.transpose(1, 2)), commit
