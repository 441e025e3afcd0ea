import torch


class LeafSampler:
    def __init__(self, batch, size=12):
        self.batch, self.size = batch, size

    def __call__(self, n=None):
        n = n or self.batch
        y = torch.randint(0, 4, (n,))
        img = torch.zeros(n, 3, self.size, self.size)
        img[:, 1] = 0.6
        img += 0.1 * torch.randn_like(img)
        lesions = torch.rand(n, self.size, self.size)
        rust, sept, mild = (y == 1), (y == 2), (y == 3)
        img[rust, 0] += (lesions[rust] < 0.15).float()
        img[sept, 1] -= 0.4 * (lesions[sept] < 0.25).float()
        img[mild] += 0.3 * (lesions[mild] < 0.3).float().unsqueeze(1)
        return img, y
