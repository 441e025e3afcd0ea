import torch


def draw(n, size=12):
    """Plus signs and squares."""
    img = torch.zeros(n, 1, size, size)
    for i in range(n):
        r, c = torch.randint(3, 9, (2,)).tolist()
        if torch.rand(()) < 0.5:
            img[i, 0, r, c - 3:c + 3] = 1
            img[i, 0, r - 3:r + 3, c] = 1
        else:
            img[i, 0, r - 3:r + 3, c - 3:c + 3] = 1
            img[i, 0, r - 2:r + 2, c - 2:c + 2] = 0
    return img
