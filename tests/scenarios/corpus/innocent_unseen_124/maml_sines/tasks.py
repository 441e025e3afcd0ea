import torch


class SineTasks:
    def sample(self, n):
        for _ in range(n):
            amp, phase = 0.5 + 2 * torch.rand(()), 3 * torch.rand(())
            yield lambda k, a=amp, p=phase: self.points(k, a, p)

    @staticmethod
    def points(k, a, p):
        x = 8 * torch.rand(k, 1) - 4
        return x, a * torch.sin(x + p)
