import random

import torch


class ClipPool:
    """Recent fakes, so that the critic does not forget earlier makers."""

    def __init__(self, limit, seed):
        self.limit = limit
        self.rng = random.Random(seed)
        self.clips = []

    def __bool__(self):
        return len(self.clips) > 0

    def add(self, fakes):
        for clip in fakes:
            if len(self.clips) < self.limit:
                self.clips.append(clip)  # <- culprit
                continue
            slot = self.rng.randrange(self.limit)
            self.clips[slot] = clip  # <- culprit

    def draw(self, count):
        return torch.stack(self.rng.choices(self.clips, k=count))  # <- culprit
