from dataclasses import dataclass

import torch


@dataclass
class ClickEvent:
    viewed: torch.Tensor
    shown: torch.Tensor
    clicked: torch.Tensor


class Clickstream:
    """All active users act once a tick."""

    def __init__(self, config):
        self.config = config
        self.taste = torch.randn(config.users, 8)
        self.kind = torch.randn(config.items, 8)

    def events(self):
        for _ in range(self.config.ticks):
            affinity = self.taste @ self.kind.t()
            viewed = torch.multinomial(torch.softmax(affinity, dim=1), 1).squeeze(1)
            shown = torch.randint(0, self.config.items, (self.config.users,))
            score = affinity.gather(1, shown.unsqueeze(1)).squeeze(1)
            clicked = (score > 0).float()
            yield ClickEvent(viewed, shown, clicked)
