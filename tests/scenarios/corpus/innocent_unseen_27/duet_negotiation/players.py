from dataclasses import dataclass, replace
from typing import Optional

import torch
import torch.nn.functional as F
from torch import nn

KINDS, WIDTH, SYMBOLS = 6, 12, 16


class Player(nn.Module):
    def __init__(self, name):
        super().__init__()
        self.name = name
        self.say = nn.Sequential(nn.Linear(WIDTH + SYMBOLS, 64), nn.ReLU(), nn.Linear(64, SYMBOLS))
        self.hear = nn.Linear(SYMBOLS, 32)
        self.see = nn.Linear(WIDTH, 32)
        self.optimizer = torch.optim.Adam(self.parameters(), lr=5e-3)


@dataclass
class Message:
    symbols: torch.Tensor
    entropy: torch.Tensor

    def heard(self):
        """What is remembered of it in the next round."""
        return self.symbols.detach().mean(0)


@dataclass
class Round:
    number: int
    echo: torch.Tensor
    message: Optional[Message] = None
    loss: Optional[torch.Tensor] = None
    hits: float = 0.0

    @classmethod
    def opening(cls):
        return cls(-1, torch.zeros(SYMBOLS))

    def next(self, number):
        return replace(self, number=number, loss=None, message=None)

    def closed(self):
        echo = 0.7 * self.echo + 0.3 * self.message.heard()
        return Round(self.number, echo, hits=self.hits)


def utter(speaker, target, echo):
    logits = speaker.say(torch.cat([target, echo.expand(len(target), -1)], dim=1))
    symbols = F.gumbel_softmax(logits, tau=1.0, hard=True)
    p = logits.softmax(-1)
    return Message(symbols, -(p * (p + 1e-9).log()).sum(-1).mean())


def scene(batch=64):
    things = torch.randn(batch, KINDS, WIDTH)
    choice = torch.randint(KINDS, (batch,))
    return things, choice, things[torch.arange(batch), choice]


def guess(listener, message, things):
    return torch.einsum("bd,bkd->bk", listener.hear(message.symbols), listener.see(things))


def talk(record, speaker, listener):
    things, choice, target = scene()
    message = utter(speaker, target, record.echo)
    scores = guess(listener, message, things)
    loss = F.cross_entropy(scores, choice) - 0.01 * message.entropy
    hits = (scores.argmax(1) == choice).float().mean().item()
    return replace(record, message=message, loss=loss, hits=hits)
