import torch
import torch.nn.functional as F

class Knitters:
    """Every knitter has a personal transition habit between stitches."""

    stitches = 5

    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.habits = [torch.softmax(2 * torch.randn(self.stitches, self.stitches, generator=self.gen), -1)
                       for _ in range(n)]

    def pick(self):
        return torch.randint(len(self.habits), (1,), generator=self.gen).item()

    def charts(self, who, rows=8, width=12):
        cur = torch.randint(self.stitches, (rows,), generator=self.gen)
        row = [cur]
        for _ in range(width):
            cur = torch.multinomial(self.habits[who][cur], 1, generator=self.gen).squeeze(1)
            row.append(cur)
        row = torch.stack(row, 1)
        return F.one_hot(row[:, :-1], self.stitches).float(), row[:, 1:]
