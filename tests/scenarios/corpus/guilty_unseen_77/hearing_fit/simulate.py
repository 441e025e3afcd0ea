import torch

BANDS = 8


class AudiogramBank:
    """Synthetic clips: band levels, an audiogram and the target insertion gain."""

    def __init__(self, n_clips, seed=8):
        g = torch.Generator().manual_seed(seed)
        slope = torch.linspace(0.1, 1.0, BANDS)
        self.loss_db = torch.rand(n_clips, 1, generator=g) * slope + 0.1 * torch.rand(n_clips, BANDS, generator=g)
        self.level = torch.rand(n_clips, BANDS, generator=g)
        knee = (self.level - 0.5).clamp(min=0)
        self.gain = 0.46 * self.loss_db - 0.3 * knee * self.loss_db
        self.weight = torch.tensor([0.5, 0.7, 1.0, 1.2, 1.2, 1.0, 0.7, 0.4])

    def __len__(self):
        return self.level.shape[0]

    def fetch(self, ids):
        idx = torch.as_tensor(ids)
        x = torch.cat([self.level[idx], self.loss_db[idx]], dim=1)
        return x, self.gain[idx]
