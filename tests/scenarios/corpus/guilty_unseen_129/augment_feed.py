# gradwatch-corpus: kind=second-backward
# holder: gains | feed.gi_frame.f_locals["gains"]
# first-bad: 5
# notice: 0
import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(52)


class Equaliser(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.tilt = nn.Parameter(torch.zeros(bands))
        self.depth = nn.Parameter(torch.zeros(bands))

    def curve(self):
        return torch.exp(self.tilt), torch.sigmoid(self.depth)


class Clips:
    def __init__(self, bands):
        self.proto = torch.randn(4, bands)

    def batch(self, n):
        y = torch.randint(0, 4, (n,))
        return self.proto[y] + 0.4 * torch.randn(n, self.proto.shape[1]), y


class Mixer:
    """Alternates clean and equalised batches as the curriculum asks."""

    def __init__(self, clips, eq, share):
        self.clips, self.eq, self.share = clips, eq, share

    def feed(self):
        gains = None
        for turn in itertools.count():
            x, y = self.clips.batch(16)
            if turn % self.share == self.share - 1:
                if gains is None:
                    gains = self.eq.curve()  # <- culprit
                up, keep = gains
                x = x * up * (1 - keep) + x.roll(1, 0) * keep
            yield x, y


class Tagger(nn.Module):
    def __init__(self, bands):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(bands, 24), nn.LeakyReLU(), nn.Dropout(0.1), nn.Linear(24, 4))

    def forward(self, x):
        return self.net(x)


class Studio:
    def __init__(self, bands=12):
        self.eq, self.tagger = Equaliser(bands), Tagger(bands)
        self.mixer = Mixer(Clips(bands), self.eq, share=3)
        self.opt = torch.optim.Adam([{"params": self.tagger.parameters()},
                                     {"params": self.eq.parameters(), "lr": 1e-4}], lr=3e-3)

    def train(self, n):
        feed = self.mixer.feed()
        for x, y in itertools.islice(feed, n):
            loss = nn.functional.cross_entropy(self.tagger(x), y)
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
        return loss.item()


print(Studio().train(300))
