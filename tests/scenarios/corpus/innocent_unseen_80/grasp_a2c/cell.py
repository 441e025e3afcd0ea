import torch

class GraspSlipped(Exception):
    def __init__(self, step, confidence):
        super().__init__(f"slipped at step {step}")
        self.step, self.confidence = step, confidence

class GraspCell:
    def __init__(self, seed, lanes=6):
        self.gen = torch.Generator().manual_seed(seed)
        self.lanes = lanes

    def reset(self):
        self.offset = torch.randn(self.lanes, 3, generator=self.gen)
        return self.offset.clone()

    def step(self, n, move, confidence):
        self.offset = self.offset - 0.4 * (move.float() - 1.0)
        self.offset = self.offset + 0.05 * torch.randn(self.offset.shape, generator=self.gen)
        if torch.rand((), generator=self.gen) < 0.04:
            raise GraspSlipped(n, confidence)
        return self.offset.clone(), torch.exp(-self.offset.square().sum(-1))
