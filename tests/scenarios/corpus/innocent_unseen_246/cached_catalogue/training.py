import contextlib

import torch
import torch.nn.functional as F


class PageCache:
    """Page codes of the epoch's model, for mining hard negatives."""

    def __init__(self, encode):
        self.encode = encode
        self.codes = {}

    def __getitem__(self, page):
        if page not in self.codes:
            self.codes[page] = self.encode(page)
        return self.codes[page]

    def __len__(self):
        return len(self.codes)

    def clear(self):
        self.codes.clear()


class EpochTrainer:
    def __init__(self, model, catalogue, lr):
        self.model = model
        self.catalogue = catalogue
        self.optimizer = torch.optim.Adam(model.parameters(), lr=lr)
        self.cache = PageCache(self.encode_page)
        self.batch_losses = []

    def encode_page(self, page):
        return self.model.page_codes(self.catalogue.page_text(page))

    @contextlib.contextmanager
    def fresh_epoch(self):
        self.batch_losses = []
        try:
            yield
        finally:
            self.cache.clear()

    def hard_negative(self, users, number):
        page = number % len(self.catalogue.pages)
        codes = self.cache[page]
        with torch.no_grad():
            scores = self.model.users(users) @ codes.t()
        return self.catalogue.pages[page][scores.argmax(dim=1)]

    def batch(self, number, size):
        users, liked, passed = self.catalogue.clicks(size)
        hard = self.hard_negative(users, number)
        up = self.model(users, self.catalogue.text[liked])
        down = self.model(users, self.catalogue.text[passed])
        away = self.model(users, self.catalogue.text[hard])
        same = (hard != liked).float()
        loss = F.softplus(down - up).mean() + 0.1 * (same * F.softplus(away - up)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.batch_losses.append(loss.detach())

    def epoch(self, batches, size):
        with self.fresh_epoch():
            for number in range(batches):
                self.batch(number, size)
            mean = torch.stack(self.batch_losses).mean().item()
            cached = len(self.cache)
        return {"loss": mean, "cached": cached}
