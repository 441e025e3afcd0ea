import torch


class KeystrokeStream:
    """Synthetic dwell/flight times, each user with a rhythm of his own."""

    width = 4

    def __init__(self, batch, users):
        self.batch = batch
        self.users = users
        self.rhythm = torch.randn(users, self.width)
        self.who = torch.randint(users, (batch,))
        self.ticks = 0

    def read(self):
        if self.ticks % 12 == 0:
            self.who = torch.randint(self.users, (self.batch,))
        self.ticks += 1
        return self.rhythm[self.who] + 0.4 * torch.randn(self.batch, self.width), self.who
