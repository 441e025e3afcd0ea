# gradwatch-corpus: kind=graph-held
# holder: self.series | metric_logger.meters[name].series | self.meters[name].series | metric_logger.meters['loss'].series
# first-bad: 1
import torch
import torch.nn.functional as F
from meters import MetricLogger
from net import TinyUNet


def make_scene(generator, batch=4, size=16):
    img = torch.randn(batch, 3, size, size, generator=generator) * 0.3
    mask = torch.zeros(batch, size, size, dtype=torch.long)
    for i in range(batch):
        y, x = torch.randint(0, size - 6, (2,), generator=generator).tolist()
        label = 1 + (i % 2)
        mask[i, y : y + 6, x : x + 6] = label
        img[i, label - 1, y : y + 6, x : x + 6] += 1.5
    return img, mask


def dice_loss(logits, target, eps=1.0):
    prob = logits.softmax(1)
    onehot = F.one_hot(target, logits.size(1)).permute(0, 3, 1, 2).float()
    inter = (prob * onehot).sum((2, 3))
    denom = prob.sum((2, 3)) + onehot.sum((2, 3))
    return 1 - ((2 * inter + eps) / (denom + eps)).mean()


def train(steps=500):
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(3)
    model = TinyUNet()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    metric_logger = MetricLogger()
    for step in range(steps):
        img, mask = make_scene(generator)
        logits = model(img)
        ce = F.cross_entropy(logits, mask)
        dice = dice_loss(logits, mask)
        loss = ce + 0.5 * dice
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        acc = (logits.argmax(1) == mask).float().mean().item()
        metric_logger.update(loss=loss, acc=acc)
        if step % 100 == 0:
            print(f"[{step}] {metric_logger}")


if __name__ == "__main__":
    train()
