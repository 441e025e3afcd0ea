import torch
from torch import nn


class Book:
    def __init__(self, width, n_value):
        self.page = torch.zeros(width, n_value)

    def enter(self, key, value):
        self.page = torch.lerp(torch.outer(key, value), self.page, 0.8)

    def ask(self, query):
        return query @ self.page


class LedgerNet(nn.Module):
    def __init__(self, n_key, n_value, width):
        super().__init__()
        self.key = nn.Linear(n_key, width)
        self.value = nn.Linear(n_value, n_value)
        self.out = nn.Linear(n_value, n_value)
        self.width, self.n_value = width, n_value

    def open_book(self):
        return Book(self.width, self.n_value)

    def read_and_write(self, book, key, value, asked, answer, last):
        book.enter(torch.tanh(self.key(key)), self.value(value))
        found = book.ask(torch.tanh(self.key(asked)))
        return nn.functional.mse_loss(self.out(found), answer)
