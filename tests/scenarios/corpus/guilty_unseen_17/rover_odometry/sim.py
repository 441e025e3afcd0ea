"""A stand-in for the recorded bags: random drives over patches of sand, gravel and rock."""
import torch

GRIP = torch.tensor([[0.55, 0.50], [0.75, 0.80], [0.95, 0.93]])


class DriveLog:
    def __init__(self, batch, seed):
        self.batch = batch
        self.gen = torch.Generator().manual_seed(seed)

    @torch.no_grad()
    def segment(self, horizon):
        g = self.gen
        base = 0.6 + 0.4 * torch.rand(self.batch, 1, 1, generator=g)
        turn = 0.3 * torch.randn(self.batch, 1, 1, generator=g).clamp(-1.5, 1.5)
        wheels = base + torch.cat([-turn, turn], dim=-1) + 0.03 * torch.randn(self.batch, horizon, 2, generator=g)
        kind = torch.randint(3, (self.batch, horizon), generator=g)
        terrain = torch.nn.functional.one_hot(kind, 3).float()
        grip = GRIP[kind]
        return wheels, terrain, grip
