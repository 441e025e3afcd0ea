from dataclasses import dataclass

from torch import Tensor


@dataclass(frozen=True, slots=True)
class LocalReport:
    client: int
    examples: int
    first_loss: float
    final_loss: Tensor

    @property
    def progress(self):
        return self.first_loss - self.final_loss.item()
