from torch import nn


class Generator(nn.Module):
    def __init__(self, ch=12):
        super().__init__()
        self.down = nn.Sequential(nn.Conv2d(3, ch, 3, padding=1), nn.InstanceNorm2d(ch), nn.ReLU(),
                                  nn.Conv2d(ch, 2 * ch, 3, stride=2, padding=1), nn.InstanceNorm2d(2 * ch), nn.ReLU())
        self.up = nn.Sequential(nn.Upsample(scale_factor=2), nn.Conv2d(2 * ch, ch, 3, padding=1), nn.ReLU(),
                                nn.Conv2d(ch, 3, 3, padding=1), nn.Tanh())

    def forward(self, img):
        return self.up(self.down(img))


class Critic(nn.Sequential):
    def __init__(self, ch=12):
        super().__init__(nn.Conv2d(3, ch, 4, 2, 1), nn.LeakyReLU(.2), nn.Conv2d(ch, 2 * ch, 4, 2, 1),
                         nn.LeakyReLU(.2), nn.Conv2d(2 * ch, 1, 3, padding=1))
