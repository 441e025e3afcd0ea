import torch

LINES = [
    "the wind goes over the hill",
    "the mill by the river is still",
    "a bell in the valley is ringing",
    "a girl in the garden is singing",
]


class Poem:
    def __init__(self):
        self.text = "\n".join(LINES * 6) + "\n"
        self.letters = sorted(set(self.text))
        self.number = {c: i for i, c in enumerate(self.letters)}
        self.data = self.encode(self.text)

    def encode(self, s):
        return torch.tensor([self.number[c] for c in s])

    def pieces(self, length, rows=8):
        """Endless: neighbours in time follow each other in the text."""
        pos = torch.randint(0, len(self.data), (rows, 1))
        while True:
            where = (pos + torch.arange(length + 1)) % len(self.data)
            piece = self.data[where]
            yield piece[:, :-1], piece[:, 1:]
            pos = pos + length
