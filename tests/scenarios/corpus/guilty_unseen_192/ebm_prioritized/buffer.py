from collections import deque

import torch


class SampleBuffer:
    """Persistent chains, restarted preferably from low-energy samples."""

    def __init__(self, capacity, dim, temperature=1.0):
        self.dim = dim
        self.temperature = temperature
        self.chains = deque(maxlen=capacity)
        self.energies = deque(maxlen=capacity)

    def __len__(self):
        return len(self.chains)

    def push(self, samples, energies):
        self.chains.extend(samples.detach())
        self.energies.extend(energies)  # <- culprit

    def draw(self, n, fresh=0.05):
        noise = torch.rand(n, self.dim) * 4 - 2
        if len(self) < n:
            return noise
        recent = min(len(self), 512)
        scores = torch.tensor([e.item() for e in list(self.energies)[-recent:]])
        prob = torch.softmax(-scores / self.temperature, 0)
        pick = torch.multinomial(prob, n, replacement=True)
        tail = list(self.chains)[-recent:]
        old = torch.stack([tail[i] for i in pick.tolist()])
        return torch.where(torch.rand(n, 1) < fresh, noise, old)
