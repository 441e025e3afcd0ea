import torch


class SlideBank:
    def __init__(self, kinds, per_kind, side=8):
        centers = torch.randn(kinds, 1, side, side)
        self.crops = centers.unsqueeze(1) + 0.5 * torch.randn(kinds, per_kind, 1, side, side)

    def episode(self, ways, shots, queries):
        kinds = torch.randperm(self.crops.shape[0])[:ways]
        order = torch.randperm(self.crops.shape[1])[: shots + queries]
        picked = self.crops[kinds][:, order]
        return picked[:, :shots], picked[:, shots:]
