# gradwatch-corpus: kind=graph-held
# holder: self.tracker.history["dice"] | trainer.tracker.history["dice"] | self.history[name]
# first-bad: 1
import torch
import torch.nn.functional as F

from metrics import MetricTracker, soft_dice
from model import TinyUNet


def fake_cells(n, size=32):
    yy, xx = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    masks = torch.zeros(n, 1, size, size)
    for k in range(n):
        for _ in range(3):
            cy, cx = torch.randint(4, size - 4, (2,)).tolist()
            r = int(torch.randint(3, 7, ()))
            masks[k, 0][(yy - cy) ** 2 + (xx - cx) ** 2 < r * r] = 1.0
    images = masks * 0.7 + 0.25 * torch.randn_like(masks)
    return images, masks


class Trainer:
    def __init__(self, model, lr=2e-3):
        self.model = model
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(self.optimizer, 100)
        self.tracker = MetricTracker("loss", "bce", "dice")

    def train_step(self, images, masks):
        logits = self.model(images)
        bce = F.binary_cross_entropy_with_logits(logits, masks)
        dice = soft_dice(logits, masks).mean()
        loss = bce + (1 - dice)
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        self.tracker.update(loss=loss.item(), bce=bce.item(), dice=dice)  # <- culprit

    def fit(self, images, masks, epochs=5, batch_size=8):
        for epoch in range(epochs):
            self.model.train()
            for idx in torch.randperm(len(images)).split(batch_size):
                self.train_step(images[idx], masks[idx])
            print(f"[{epoch}] {self.tracker.summary()}")


if __name__ == "__main__":
    torch.manual_seed(17)
    images, masks = fake_cells(160)
    trainer = Trainer(TinyUNet())
    trainer.fit(images, masks)
