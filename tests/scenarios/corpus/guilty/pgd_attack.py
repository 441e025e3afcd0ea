# gradwatch-corpus: kind=graph-chain
# holder: x_adv | self.x_adv | attack.x_adv
# about: an iterative attack whose perturbed image carries the graph of all earlier steps
import torch
import torch.nn as nn
import torch.nn.functional as F


class SmallNet(nn.Module):
    def __init__(self, n_classes=10):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, padding=1)
        self.fc = nn.Linear(16 * 7 * 7, n_classes)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2)
        return self.fc(x.flatten(1))


class PGD:
    """Projected gradient descent, L-inf."""

    def __init__(self, model, eps=0.3, alpha=0.01, steps=60):
        self.model = model.eval()
        self.eps = eps
        self.alpha = alpha
        self.steps = steps
        self.x_adv = None

    def _step(self, x, y):
        loss = F.cross_entropy(self.model(self.x_adv), y)
        (grad,) = torch.autograd.grad(loss, self.x_adv)
        moved = self.x_adv + self.alpha * grad.sign()  # <- culprit
        self.x_adv = torch.clamp(moved, x - self.eps, x + self.eps)  # <- culprit
        return loss.item()

    def attack(self, x, y):
        self.x_adv = x.clone().requires_grad_(True)
        history = [self._step(x, y) for _ in range(self.steps)]
        return self.x_adv.detach(), history


if __name__ == "__main__":
    torch.manual_seed(1)
    net = SmallNet()
    images, labels = torch.rand(8, 1, 28, 28), torch.randint(0, 10, (8,))
    adversarial, history = PGD(net).attack(images, labels)
    print("loss", round(history[0], 4), "->", round(history[-1], 4))
