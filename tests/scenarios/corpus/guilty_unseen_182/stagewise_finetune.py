# gradwatch-corpus: kind=crashed
# first-bad: 60
"""Stage-wise fine-tuning: train head, then hand over to deeper blocks."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(19)

STAGES = [
    (0, ["head"]),
    (60, ["block3"]),  # <- culprit
    (200, ["block2", "block3", "head"]),
    (350, ["block1", "block2", "block3", "head"]),
]


class ResBlock(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv = nn.Conv2d(ch, ch, 3, padding=1)
        self.norm = nn.GroupNorm(4, ch)

    def forward(self, x):
        return x + F.relu(self.norm(self.conv(x)))


class Backbone(nn.Module):
    def __init__(self, ch=12, classes=5):
        super().__init__()
        self.stem = nn.Conv2d(3, ch, 4, stride=4)
        self.block_1 = ResBlock(ch)
        self.block_2 = ResBlock(ch)
        self.block_3 = ResBlock(ch)
        self.head = nn.Linear(ch, classes)

    def forward(self, x):
        x = self.stem(x)
        x = self.block_3(self.block_2(self.block_1(x)))
        return self.head(x.mean((2, 3)))


def set_trainable(model, prefixes):
    count = 0
    for name, p in model.named_parameters():
        p.requires_grad = any(name.startswith(pre) for pre in prefixes)  # <- culprit
        count += p.numel() if p.requires_grad else 0
    return count


def fake_images(n):
    y = torch.randint(0, 5, (n,))
    tint = torch.eye(5)[y][:, :3] + 0.5 * (y == 4).float()[:, None]
    return tint[:, :, None, None] + 0.6 * torch.randn(n, 3, 16, 16), y


def main():
    model = Backbone()
    images, labels = fake_images(512)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    schedule = dict(STAGES)
    correct = seen = 0
    for it in range(500):
        if it in schedule:
            n = set_trainable(model, schedule[it])
            print(f"[{it}] stage {schedule[it]} ({n} weights)")
        pick = torch.randint(0, len(images), (16,))
        logits = model(images[pick])
        loss = F.cross_entropy(logits, labels[pick], label_smoothing=0.05)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        correct += (logits.argmax(1) == labels[pick]).sum().item()
        seen += len(pick)
        if it % 20 == 19:
            print(f"[{it + 1}] loss {loss.item():.3f} acc {correct / seen:.3f}")
            correct = seen = 0


if __name__ == "__main__":
    main()
