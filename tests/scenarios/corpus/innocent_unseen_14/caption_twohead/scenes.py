import torch

N_COLOURS, N_SHAPES = 5, 4


class Scenes:
    """n objects of one colour and one shape, as a noisy bag of features;
    caption: number, colour, shape"""

    n_feat = N_COLOURS + N_SHAPES + 2

    def batch(self, size):
        colour = torch.randint(N_COLOURS, (size,))
        shape = torch.randint(N_SHAPES, (size,))
        count = torch.randint(4, (size,))
        x = torch.zeros(size, self.n_feat)
        rows = torch.arange(size)
        x[rows, colour] = 1.0
        x[rows, N_COLOURS + shape] = 1.0
        x[:, -2] = count / 3
        x[:, -1] = (count + 1).float().log()
        x += 0.1 * torch.randn_like(x)
        words = torch.stack([count, 4 + colour, 4 + N_COLOURS + shape], dim=1)
        return x, words, count
