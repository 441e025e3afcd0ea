# gradwatch-corpus: kind=graph-chain
# holder: self.delta | attack.delta
# first-bad: 1
import torch
from torch import nn
import torch.nn.functional as F


class SmallCNN(nn.Module):
    def __init__(self, n_classes=4):
        super().__init__()
        self.c1 = nn.Conv2d(1, 8, 3, padding=1)
        self.c2 = nn.Conv2d(8, 8, 3, padding=1, stride=2)
        self.fc = nn.Linear(8 * 6 * 6, n_classes)

    def forward(self, x):
        x = F.relu(self.c1(x))
        x = F.relu(self.c2(x))
        return self.fc(x.flatten(1))


class UniversalAttack:
    """One perturbation shared by every image, refined on each minibatch."""

    def __init__(self, shape, eps=0.3, step=0.02):
        self.eps = eps
        self.step = step
        self.delta = torch.zeros(shape, requires_grad=True)

    def refine(self, model, images, labels):
        for p in model.parameters():
            p.requires_grad_(False)
        loss = F.cross_entropy(model(images + self.delta), labels)
        (grad,) = torch.autograd.grad(loss, self.delta)
        for p in model.parameters():
            p.requires_grad_(True)
        moved = self.delta + self.step * grad.sign()
        self.delta = moved.clamp(-self.eps, self.eps)  # <- culprit
        return loss.item()

    def apply(self, images):
        return images + self.delta.detach()


def bars(gen, n, size=12):
    kind = torch.randint(0, 4, (n,), generator=gen)
    img = 0.2 * torch.randn(n, 1, size, size, generator=gen)
    where = torch.randint(1, size - 1, (n,), generator=gen)
    for i in range(n):
        w = int(where[i])
        if kind[i] == 0:
            img[i, 0, w] += 1
        elif kind[i] == 1:
            img[i, 0, :, w] += 1
        elif kind[i] == 2:
            img[i, 0].diagonal().add_(1)
        else:
            img[i, 0].flip(1).diagonal()[:] = 1
            img[i, 0] = img[i, 0] + torch.eye(size).flip(1)
    return img, kind


def main(iters=450):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(31)
    model = SmallCNN()
    attack = UniversalAttack((1, 1, 12, 12))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    for it in range(iters):
        images, labels = bars(gen, 12)
        adv_loss = attack.refine(model, images, labels)
        logits = model(torch.cat([images, attack.apply(images)]))
        loss = F.cross_entropy(logits, labels.repeat(2))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if it % 90 == 0:
            print(f"{it:4d} train {loss.item():.3f} attack {adv_loss:.3f}")


if __name__ == "__main__":
    main()
