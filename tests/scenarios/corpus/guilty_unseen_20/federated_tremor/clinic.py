from dataclasses import dataclass, field

import torch
import torch.nn.functional as F

from model import TremorNet


@dataclass(eq=False)
class Update:
    """What a clinic sends back for one round."""

    clinic: int
    round: int
    n_samples: int
    loss: torch.Tensor
    grads: dict = field(repr=False, default_factory=dict)


class Clinic:
    def __init__(self, ident, bias, n=96, window=40):
        gen = torch.Generator().manual_seed(1000 + ident)
        self.ident = ident
        self.gen = gen
        t = torch.linspace(0, 1, window)
        self.y = (torch.rand(n, generator=gen) > 0.5).float()
        freq = torch.where(self.y > 0, 5.0, 1.5)[:, None, None]
        phase = 6.28 * torch.rand(n, 3, 1, generator=gen)
        self.x = torch.sin(6.28 * freq * t + phase) + bias + 0.4 * torch.randn(n, 3, window, generator=gen)
        self.local = TremorNet()

    def train(self, rnd, weights):
        self.local.load_state_dict(weights)
        self.local.zero_grad()
        pick = torch.randint(len(self.y), (16,), generator=self.gen)
        loss = F.binary_cross_entropy_with_logits(self.local(self.x[pick]), self.y[pick])
        loss.backward()
        grads = {name: p.grad.clone() for name, p in self.local.named_parameters()}
        return Update(self.ident, rnd, len(pick), loss, grads)  # <- culprit
