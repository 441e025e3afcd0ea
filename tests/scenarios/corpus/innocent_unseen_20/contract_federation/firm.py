from dataclasses import dataclass

import torch
import torch.nn.functional as F

VOCAB = 120


class FirmUnavailable(RuntimeError):
    pass


@dataclass(eq=False)
class Offer:
    """A firm's share in a round. The coordinator differentiates it and lets it go."""

    firm: int
    loss: torch.Tensor
    summary: torch.Tensor
    paragraphs: int


class Firm:
    def __init__(self, number, contracts=20):
        self.number = number
        self.gen = torch.Generator().manual_seed(700 + number)
        risky = torch.zeros(VOCAB)
        risky[10 * number: 10 * number + 30] = 1.0
        self.contracts = []
        for _ in range(contracts):
            paragraphs = int(torch.randint(2, 6, (), generator=self.gen))
            words = torch.randint(VOCAB, (paragraphs, 14), generator=self.gen)
            self.contracts.append((words, risky[words].mean(1)))

    def contribute(self, model):
        """Sum the loss over the paragraphs of one contract, memory running through it."""
        words, risk = self.contracts[int(torch.randint(len(self.contracts), (), generator=self.gen))]
        total = torch.zeros(())
        memory = model.blank()
        for k in range(len(words)):
            memory, score = model(words[k], memory)
            total = total + F.mse_loss(score, risk[k])
            if torch.rand((), generator=self.gen) < 0.03:
                raise FirmUnavailable(f"firm {self.number} left the round")
        return Offer(self.number, total / len(words), memory.detach(), len(words))
