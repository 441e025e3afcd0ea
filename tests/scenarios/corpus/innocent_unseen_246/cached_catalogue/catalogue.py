import torch


class Catalogue:
    def __init__(self, items, pages, text_dim, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.text = torch.randn(items, text_dim, generator=self.gen)
        self.pages = torch.arange(items).view(pages, -1)
        self.likes = torch.randn(80, text_dim, generator=self.gen)

    def page_text(self, page):
        return self.text[self.pages[page]]

    def clicks(self, size):
        users = torch.randint(0, len(self.likes), (size,), generator=self.gen)
        items = torch.randint(0, len(self.text), (2, size), generator=self.gen)
        taste = (self.likes[users] * self.text[items]).sum(dim=-1)
        first_wins = taste[0] > taste[1]
        liked = torch.where(first_wins, items[0], items[1])
        passed = torch.where(first_wins, items[1], items[0])
        return users, liked, passed
