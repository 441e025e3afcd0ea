import torch


def arrivals(legs, size):
    """Bimodal delays: either the tide window is met or the ship waits for the next one."""
    mix = torch.randn(18, 2) * 0.4
    for _ in range(legs):
        seen = torch.randn(size, 18)
        drive = seen @ mix
        late = (torch.rand(size) < torch.sigmoid(drive[:, 0])).float()
        yield seen, drive[:, 1] + 3.0 * late + 0.2 * torch.randn(size)
