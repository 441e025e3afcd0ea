import random
from functools import lru_cache

import numpy as np

SIDE, CELL = 6, 10
SHELVES = {(1, 1), (1, 2), (3, 4), (4, 1), (4, 4)}
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


@lru_cache(maxsize=256)
def picture(robot, parcel):
    """Floor plan as one channel: shelves dark, parcel a cross, robot a disc."""
    img = np.zeros((SIDE * CELL, SIDE * CELL), dtype=np.float32)
    for r, c in SHELVES:
        img[r * CELL:(r + 1) * CELL, c * CELL:(c + 1) * CELL] = 0.3
    pr, pc = parcel
    img[pr * CELL + CELL // 2, pc * CELL:(pc + 1) * CELL] = 0.7
    img[pr * CELL:(pr + 1) * CELL, pc * CELL + CELL // 2] = 0.7
    yy, xx = np.mgrid[:SIDE * CELL, :SIDE * CELL]
    cy, cx = (robot[0] + 0.5) * CELL, (robot[1] + 0.5) * CELL
    img[(yy - cy) ** 2 + (xx - cx) ** 2 < 14] = 1.0
    return img[None]


class Warehouse:
    def __init__(self, seed, limit=30):
        self.rng = random.Random(seed)
        self.free = [(r, c) for r in range(SIDE) for c in range(SIDE) if (r, c) not in SHELVES]
        self.limit = limit

    def reset(self):
        self.robot, self.parcel = self.rng.sample(self.free, 2)
        self.time = 0
        return picture(self.robot, self.parcel)

    def move(self, a):
        self.time += 1
        to = (self.robot[0] + MOVES[a][0], self.robot[1] + MOVES[a][1])
        bump = to not in self.free
        if not bump:
            self.robot = to
        found = self.robot == self.parcel
        reward = 1.0 if found else (-0.1 if bump else -0.02)
        return picture(self.robot, self.parcel), reward, found or self.time >= self.limit

    @staticmethod
    def pictures():
        return picture.cache_info().currsize
