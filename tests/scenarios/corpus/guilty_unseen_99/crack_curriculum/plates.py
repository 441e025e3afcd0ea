import torch


def one_plate(size):
    img = 0.3 * torch.rand(1, size, size)
    mask = torch.zeros(1, size, size)
    if torch.rand(()) < 0.8:
        row = int(torch.randint(2, size - 2, ()))
        for col in range(size):
            row = min(max(row + int(torch.randint(-1, 2, ())), 0), size - 1)
            mask[0, row, col] = 1.0
    img = img + mask * (0.3 + 0.5 * torch.rand(()))
    return img, mask


def plate_batches(n_batches, batch, size):
    pool = [one_plate(size) for _ in range(64)]
    for _ in range(n_batches):
        pick = torch.randint(len(pool), (batch,)).tolist()
        yield torch.stack([pool[i][0] for i in pick]), torch.stack([pool[i][1] for i in pick])
