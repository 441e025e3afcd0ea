import torch


class TelegraphLine:
    """Every line repeats a noisy periodic code."""

    def __init__(self, symbols, lines):
        self.symbols = symbols
        self.code = torch.randint(0, symbols, (lines, 7))
        self.place = 0

    def segment(self, length):
        where = (self.place + torch.arange(length + 1)) % self.code.shape[1]
        text = self.code[:, where].clone()
        noise = torch.rand(text.shape) < 0.05
        text[noise] = torch.randint(0, self.symbols, (int(noise.sum()),))
        self.place += length
        return text[:, :-1], text[:, 1:]
