from collections import deque
from weakref import WeakKeyDictionary

import torch
from torch import nn

from firm import VOCAB


class RiskScorer(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.words = nn.EmbeddingBag(VOCAB, width)
        self.cell = nn.GRUCell(width, width)
        self.score = nn.Linear(width, 1)

    def blank(self):
        return torch.zeros(self.width)

    def forward(self, paragraph, memory):
        memory = self.cell(self.words(paragraph.unsqueeze(0)).squeeze(0), memory)
        return memory, self.score(memory).squeeze(-1)


class Coordinator:
    def __init__(self, width, lr):
        self.model = RiskScorer(width)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=lr, momentum=0.8)
        self.replay = deque(maxlen=40)
        self.desk = WeakKeyDictionary()

    def file(self, offer):
        self.desk[offer] = {"firm": offer.firm, "weight": offer.paragraphs}
        self.replay.append(offer.summary)

    def filed(self):
        return len(self.desk)

    def _scale_term(self):
        past = torch.stack(list(self.replay))
        return (self.model.score(past).squeeze(-1) - 0.25).pow(2).mean()

    def step(self, offers):
        if not offers:
            return float("nan")
        weights = [self.desk[o]["weight"] for o in offers]
        loss = sum(w * o.loss for w, o in zip(weights, offers)) / sum(weights)
        loss = loss + 0.05 * self._scale_term()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()
