from dataclasses import dataclass, replace

import torch


@dataclass
class Belief:
    mean: torch.Tensor
    cov: torch.Tensor
    age: int = 0

    @classmethod
    def prior(cls, dim):
        return cls(torch.zeros(dim), torch.ones(dim))

    def predict(self, decay, q):
        return replace(self, mean=decay * self.mean, cov=decay**2 * self.cov + q)

    def correct(self, z, r):
        gain = self.cov / (self.cov + r)
        return replace(
            self,
            mean=self.mean + gain * (z - self.mean),
            cov=(1 - gain) * self.cov,
            age=self.age + 1,
        )

    def cut(self):
        """Truncate at a window border."""
        return replace(self, cov=self.cov.detach())  # <- culprit
