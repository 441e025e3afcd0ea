import torch

SIZE = 6


class Grid:
    def __init__(self):
        self.reset()

    def reset(self):
        self.x = int(torch.randint(0, SIZE, (1,)))
        self.y = int(torch.randint(0, SIZE, (1,)))
        return self.view()

    def view(self):
        img = torch.zeros(SIZE, SIZE)
        img[self.y, self.x] = 1.0
        return img.flatten()

    def step(self, a):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][a]
        self.x = max(0, min(SIZE - 1, self.x + dx))
        self.y = max(0, min(SIZE - 1, self.y + dy))
        return self.view()
