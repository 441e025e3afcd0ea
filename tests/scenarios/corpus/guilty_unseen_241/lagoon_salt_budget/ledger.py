import torch


class SaltLedger:
    """Keeps the books of what has come in and gone out over the inlet since the survey began."""

    def __init__(self, n_cells, ebb_share=0.9):
        self.depth = torch.linspace(0.2, 1.0, n_cells)
        self.ebb_share = ebb_share
        self.surplus = torch.zeros(n_cells)

    def inlet(self, cycle):
        t = torch.full_like(self.depth, (cycle % 24) / 24)
        return torch.stack([torch.zeros_like(self.depth), t, self.depth], dim=1)

    def settle(self, through_inlet):
        reference = 0.5 + 0.2 * self.depth
        net = (through_inlet - reference) * self.depth
        self.surplus = self.ebb_share * self.surplus + net  # <- culprit
        return self.surplus.pow(2).mean()
