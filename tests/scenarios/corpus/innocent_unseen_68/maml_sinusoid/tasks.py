import torch


class SineTasks:
    def __init__(self, seed, shots=8):
        self.g = torch.Generator().manual_seed(seed)
        self.shots = shots

    def draw(self):
        amp = 0.5 + 2 * torch.rand(1, generator=self.g)
        phase = 3.14 * torch.rand(1, generator=self.g)

        def sample():
            x = 10 * torch.rand(self.shots, 1, generator=self.g) - 5
            return x, amp * torch.sin(x + phase)

        return sample(), sample()
