import torch


def gradient_image(n):
    r = torch.linspace(0, 1, n)
    return torch.stack([r[None].expand(n, n), r[:, None].expand(n, n), (r[None] * r[:, None])]).unsqueeze(0).contiguous()


def checkerboard(n, cell=4):
    i = torch.arange(n) // cell
    board = ((i[None] + i[:, None]) % 2).float()
    return (board.expand(3, n, n) * torch.tensor([0.9, 0.4, 0.1]).view(3, 1, 1)).unsqueeze(0).contiguous()
