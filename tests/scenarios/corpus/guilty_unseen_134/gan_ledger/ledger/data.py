import torch
import torch.nn.functional as F


class Entries:
    def __init__(self, codes, amounts):
        self.codes, self.amounts = codes, amounts
        self.width = codes + amounts
        self.centre = torch.randn(codes, amounts)

    def sample(self, n):
        code = torch.randint(0, self.codes, (n,))
        amount = self.centre[code] + 0.3 * torch.randn(n, self.amounts)
        return torch.cat([amount, F.one_hot(code, self.codes).float()], 1)
