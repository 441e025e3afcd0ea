import torch
from torch import nn


class TasteModel(nn.Module):
    def __init__(self, users, text_dim, dim):
        super().__init__()
        self.users = nn.Embedding(users, dim)
        self.reader = nn.Sequential(nn.Linear(text_dim, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, users, text):
        return (self.users(users) * self.reader(text)).sum(dim=-1)

    def page_codes(self, text):
        with torch.no_grad():
            return self.reader(text)
