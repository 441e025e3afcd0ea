"""A benchmark farm with a fixed turn-around, in rounds."""
from collections import deque
from itertools import count

import torch

KERNEL_DIM, VARIANTS = 6, 8


class Farm:
    def __init__(self, latency, gen):
        self.latency, self.gen = latency, gen
        self.truth = torch.randn(KERNEL_DIM, VARIANTS, generator=gen)
        self.queue, self.ids, self.clock = deque(), count(), 0

    def enqueue(self, kernels, choice):
        ticket = next(self.ids)
        gain = (kernels @ self.truth).gather(1, choice[:, None]).squeeze(1)
        noise = 0.1 * torch.randn(len(gain), generator=self.gen)
        self.queue.append((self.clock + self.latency, ticket, torch.sigmoid(gain) + noise))
        return ticket

    def poll(self):
        self.clock += 1
        if self.queue and self.queue[0][0] <= self.clock:
            return self.queue.popleft()[1:]
        return None
