import random

import torch

COLOURS = ["red", "green", "blue"]
SHAPES = ["circle", "square", "star"]
WORDS = ["<pad>", "<s>", "</s>", "a", "left", "right", "of"] + COLOURS + SHAPES
INDEX = {w: i for i, w in enumerate(WORDS)}
PAD = 0


class SceneSampler:
    """a 3x3 grid with two objects; features are one-hots with some noise"""

    n_feat = len(COLOURS) + len(SHAPES) + 2

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def scene(self):
        a, b = self.rng.sample(range(9), 2)
        while a % 3 == b % 3:
            a, b = self.rng.sample(range(9), 2)
        objects = [(self.rng.randrange(3), self.rng.randrange(3)) for _ in range(2)]
        grid = torch.zeros(9, self.n_feat)
        for cell, (colour, shape) in zip((a, b), objects):
            grid[cell, colour] = 1
            grid[cell, 3 + shape] = 1
        grid[:, 6] = torch.arange(9) % 3 / 2
        grid[:, 7] = torch.arange(9) // 3 / 2
        (c1, s1), (c2, s2) = objects
        side = "left" if a % 3 < b % 3 else "right"
        text = ["<s>", "a", COLOURS[c1], SHAPES[s1], side, "of", "a", COLOURS[c2], SHAPES[s2], "</s>"]
        return grid + 0.05 * torch.randn_like(grid), torch.tensor([INDEX[w] for w in text])

    def batch(self, n):
        grids, captions = zip(*(self.scene() for _ in range(n)))
        return torch.stack(grids), torch.stack(captions)
