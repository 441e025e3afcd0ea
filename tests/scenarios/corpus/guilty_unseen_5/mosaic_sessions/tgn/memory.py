import torch


class CellStore:
    def __init__(self, width):
        self.width = width
        self.cells = {}

    def __len__(self):
        return len(self.cells)

    def read(self, who):
        blank = torch.zeros(self.width)
        return torch.stack([self.cells.get(w, blank) for w in who])

    def write(self, who, fresh):
        self.cells.update(zip(who, fresh))  # <- culprit
