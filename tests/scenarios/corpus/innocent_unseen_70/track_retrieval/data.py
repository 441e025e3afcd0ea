import torch


class Listening:
    """Users listen to tracks near their taste."""

    def __init__(self, users, tracks, seed=12):
        self.gen = torch.Generator().manual_seed(seed)
        taste = torch.randn(users, 3, generator=self.gen)
        sound = torch.randn(tracks, 3, generator=self.gen)
        self.chance = torch.softmax(2 * taste @ sound.t(), dim=1)
        self.users = users

    def batch(self, size):
        users = torch.randint(0, self.users, (size,), generator=self.gen)
        tracks = torch.multinomial(self.chance[users], 1, generator=self.gen).squeeze(1)
        return users, tracks
