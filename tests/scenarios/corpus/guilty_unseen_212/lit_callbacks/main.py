# gradwatch-corpus: kind=graph-held
# holder: self.buffer | self.buffer[key] | logger_cb.buffer | cb.buffer
# first-bad: 1
import torch

from callbacks import GradClip, MetricCurve, ProgressPrinter
from engine import Engine
from module import AudioTagger


class ToneDataset(torch.utils.data.Dataset):
    """Short synthetic tones, the label is the frequency bucket."""

    def __init__(self, n=640, length=256, classes=6, seed=0):
        g = torch.Generator().manual_seed(seed)
        self.y = torch.randint(0, classes, (n,), generator=g)
        t = torch.linspace(0, 1, length)
        f = 4.0 + 5.0 * self.y.float() + torch.rand(n, generator=g)
        self.x = torch.sin(2 * torch.pi * f[:, None] * t) + 0.4 * torch.randn(n, length, generator=g)

    def __len__(self):
        return len(self.y)

    def __getitem__(self, i):
        return self.x[i], self.y[i]


def main():
    torch.manual_seed(7)
    loader = torch.utils.data.DataLoader(ToneDataset(), batch_size=16, shuffle=True)
    logger_cb = MetricCurve(keys=("loss", "entropy"))
    engine = Engine(max_epochs=3, callbacks=[GradClip(1.0), logger_cb, ProgressPrinter(every=30)])
    engine.fit(AudioTagger(classes=6), loader)
    for k in logger_cb.keys:
        print(k, [round(v, 3) for v in logger_cb.summary(k)])


if __name__ == "__main__":
    main()
