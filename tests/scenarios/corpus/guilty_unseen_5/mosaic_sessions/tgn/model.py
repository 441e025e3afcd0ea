import torch
from torch import nn

from .memory import CellStore


class StreamModel(nn.Module):
    def __init__(self, categories, width):
        super().__init__()
        self.memory = CellStore(width)
        self.item = nn.Embedding(categories, 12)
        self.updater = nn.GRUCell(12 + 6, width)
        self.choose = nn.Sequential(nn.Linear(width + 6, 40), nn.ReLU(), nn.Linear(40, categories))

    def digest(self, batch):
        cell = self.memory.read(batch.who)
        logits = self.choose(torch.cat([cell, batch.context], dim=1))
        fresh = self.updater(torch.cat([self.item(batch.bought), batch.context], dim=1), cell)
        # the new cell should already know the purchase it was built from
        echo = self.choose(torch.cat([fresh, torch.zeros_like(batch.context)], dim=1))
        loss = nn.functional.cross_entropy(logits, batch.bought) + 0.1 * nn.functional.cross_entropy(echo, batch.bought)
        self.memory.write(batch.who, fresh)
        return loss, int((logits.argmax(1) == batch.bought).sum())
