import torch


def endgames(n):
    """King, rook, pawn counts and distances; a made-up value in (-1, 1)."""
    pieces = torch.randint(0, 3, (n, 6)).float()
    dist = torch.rand(n, 4) * 7
    material = pieces[:, :3] @ torch.tensor([1.0, 3.0, 5.0]) - pieces[:, 3:] @ torch.tensor([1.0, 3.0, 5.0])
    value = torch.tanh(0.25 * material + 0.2 * torch.sin(dist[:, 0]) * (dist[:, 1] - dist[:, 2]).sign())
    return torch.cat([pieces - 1, dist / 7], 1), value.unsqueeze(1)
