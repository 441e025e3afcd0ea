import torch

N_DRUGS = 90
N_CELL_LINES = 40
FP_BITS = 64
N_EXPR = 50


class Screen:
    def __init__(self, seed):
        gen = torch.Generator().manual_seed(seed)
        self.fingerprints = (torch.rand(N_DRUGS, FP_BITS, generator=gen) < 0.3).float()
        self.expression = torch.randn(N_CELL_LINES, N_EXPR, generator=gen)
        a = torch.randn(FP_BITS, 8, generator=gen)
        b = torch.randn(N_EXPR, 8, generator=gen)
        self.ic50 = (self.fingerprints @ a * (self.expression @ b).mean(0)).mean(1, keepdim=True)
        self.ic50 = self.ic50 + 0.3 * torch.randn(N_DRUGS, N_CELL_LINES, generator=gen)
        self.gen = gen

    def plates(self, drugs_per_plate=6):
        order = torch.randperm(N_DRUGS, generator=self.gen).tolist()
        for i in range(0, N_DRUGS, drugs_per_plate):
            drugs = order[i:i + drugs_per_plate]
            lines = torch.randperm(N_CELL_LINES, generator=self.gen)[:16]
            yield drugs, lines, self.ic50[drugs][:, lines]
