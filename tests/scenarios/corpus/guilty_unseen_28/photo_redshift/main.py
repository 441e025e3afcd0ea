# gradwatch-corpus: kind=graph-held
# holder: outputs
# first-bad: 1
# after: TRI-ML/packnet-sfm PR #51 "Fix memory leak: detach loss before appending to the training output list"
"""Photometric redshifts from five-band cutouts."""
import torch

from trainer import Trainer
from wrapper import RedshiftWrapper


class Survey(torch.utils.data.Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.z = 0.05 + 1.2 * torch.rand(n, generator=g)
        bands = torch.linspace(0.3, 1.0, 5)
        sed = torch.exp(-((bands.view(1, 5) - 0.35 * (1 + self.z.view(-1, 1))) ** 2) / 0.05)
        yy, xx = torch.meshgrid(torch.linspace(-1, 1, 16), torch.linspace(-1, 1, 16), indexing='ij')
        profile = torch.exp(-4 * (xx ** 2 + yy ** 2).sqrt())
        self.img = sed.view(n, 5, 1, 1) * profile + 0.05 * torch.randn(n, 5, 16, 16, generator=g)

    def __len__(self):
        return len(self.z)

    def __getitem__(self, i):
        return {'rgb': self.img[i], 'z': self.z[i], 'idx': i}


def main():
    torch.manual_seed(0)
    train = torch.utils.data.DataLoader(Survey(40 * 32, 0), batch_size=32, shuffle=True)
    val = torch.utils.data.DataLoader(Survey(256, 1), batch_size=64)
    wrapper = RedshiftWrapper(lr=2e-3)
    Trainer(max_epochs=3).fit(wrapper, train, val)


if __name__ == '__main__':
    main()
