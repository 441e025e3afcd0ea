import torch
import torch.nn as nn
import torch.nn.functional as F


class TicketNet(nn.Module):
    def __init__(self, words=300, dim=20, levels=3):
        super().__init__()
        self.bag = nn.EmbeddingBag(words, dim, mode="mean")
        self.gate = nn.Linear(dim, dim)
        self.out = nn.Linear(dim, levels)

    def forward(self, words, starts):
        bag = self.bag(words, starts)
        gate = torch.sigmoid(self.gate(bag))
        return self.out(bag * gate), gate

    def terms(self, logits, gate, urgency):
        return {"task": F.cross_entropy(logits, urgency), "sparse": 0.01 * gate.mean()}


def tickets(steps, size=40, words=300):
    for _ in range(steps):
        urgency = torch.randint(0, 3, (size,))
        lengths = torch.randint(5, 15, (size,))
        starts = torch.cat([torch.zeros(1, dtype=torch.long), lengths.cumsum(0)[:-1]])
        level = urgency.repeat_interleave(lengths)
        telling = torch.rand(len(level)) < 0.3
        any_word = torch.randint(0, words, level.shape)
        yield torch.where(telling, level * 20 + any_word % 20, any_word), starts, urgency
