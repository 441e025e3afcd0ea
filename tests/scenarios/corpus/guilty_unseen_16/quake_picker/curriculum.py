import math
import random

import torch


class Curriculum:
    """Chooses which bucket the next batch comes from."""

    def __init__(self, buckets):
        self.buckets = buckets

    def weights(self):
        return [1.0] * self.buckets

    def draw(self):
        return random.choices(range(self.buckets), weights=self.weights())[0]

    def feedback(self, bucket, loss):
        pass


class LossDrivenCurriculum(Curriculum):
    def __init__(self, buckets, momentum, temperature):
        super().__init__(buckets)
        self.momentum = momentum
        self.temperature = temperature
        self.difficulty = [torch.tensor(1.0) for _ in range(buckets)]
        self.visits = [0] * buckets

    def weights(self):
        top = max(float(d) for d in self.difficulty)
        return [math.exp((float(d) - top) / self.temperature) for d in self.difficulty]

    def feedback(self, bucket, loss):
        self.visits[bucket] += 1
        m = min(self.momentum, 1 - 1 / (self.visits[bucket] + 1))
        self.difficulty[bucket] = m * self.difficulty[bucket] + (1 - m) * loss  # <- culprit

    def describe(self):
        w = self.weights()
        total = sum(w)
        return "/".join(f"{v / total:.2f}" for v in w)
