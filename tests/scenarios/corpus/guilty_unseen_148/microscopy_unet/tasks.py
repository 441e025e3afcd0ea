import torch

from .engine import Trainer


class NucleiTrainer(Trainer):
    """Segments bright discs; the learning rate is warmed up linearly."""

    def __init__(self, model, lr, size, batch, warmup=10):
        super().__init__(model, lr)
        self.size, self.batch = size, batch
        self.base_lr, self.warmup, self.n_steps = lr, warmup, 0

    def start_step(self):  # <- culprit
        self.n_steps += 1
        for group in self.opt.param_groups:
            group["lr"] = self.base_lr * min(1.0, self.n_steps / self.warmup)

    def next_batch(self):
        yy, xx = torch.meshgrid(torch.arange(self.size), torch.arange(self.size), indexing="ij")
        c = torch.randint(4, self.size - 4, (self.batch, 2))
        r = torch.randint(2, 5, (self.batch, 1, 1))
        mask = ((yy - c[:, :1, None]) ** 2 + (xx - c[:, 1:, None]) ** 2 < r**2).float()[:, None]
        return mask + 0.4 * torch.randn_like(mask), mask

    def compute_loss(self, batch):
        image, mask = batch
        p = torch.sigmoid(self.model(image))
        inter = (p * mask).sum((1, 2, 3))
        return (1 - (2 * inter + 1) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + 1)).mean()
