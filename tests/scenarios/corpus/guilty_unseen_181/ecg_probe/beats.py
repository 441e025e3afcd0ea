import torch


class BeatSampler:
    """Synthetic heart beats of three shapes."""

    def __init__(self, length):
        self.t = torch.linspace(-1, 1, length)

    def batch(self, n):
        y = torch.randint(0, 3, (n,))
        width = torch.tensor([0.05, 0.12, 0.05])[y].unsqueeze(1)
        shift = 0.2 * torch.randn(n, 1)
        x = torch.exp(-((self.t - shift) ** 2) / (2 * width ** 2))
        late = torch.exp(-((self.t - shift - 0.4) ** 2) / 0.01)
        x = x + (y == 2).float().unsqueeze(1) * 0.6 * late
        x = x + 0.1 * torch.randn_like(x)
        return x.unsqueeze(1), y
