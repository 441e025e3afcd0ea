import torch


class Cohort:
    def __init__(self, n):
        self.n = n

    def __iter__(self):
        for _ in range(self.n):
            size = torch.rand(4)
            cube = size.view(-1, 1, 1, 1, 1) + 0.1 * torch.randn(4, 1, 6, 6, 6)
            yield {
                "cube": cube,
                "malignancy": (size > 0.5).float(),
                "diameter": 30 * size,
                "texture": torch.randint(0, 4, (4,)),
            }
