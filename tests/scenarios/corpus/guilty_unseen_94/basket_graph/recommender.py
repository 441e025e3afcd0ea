from torch import nn

from tables import TableBook


class BasketRecommender(nn.Module):
    def __init__(self, graphs, items, dim):
        super().__init__()
        self.book = TableBook(graphs, items, dim)
        self.query = nn.Linear(dim, dim)

    def forward(self, month, ctx):
        items = self.book.lookup(month)
        q = self.query(items[ctx].mean(dim=1))
        return q @ items.T
