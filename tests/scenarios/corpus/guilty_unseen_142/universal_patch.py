# gradwatch-corpus: kind=graph-chain
# holder: delta | self.delta | attack.delta
# first-bad: 1
# notice: 5
"""One perturbation for every image: momentum iterative attack against a template classifier."""
import torch
from torch import nn
import torch.nn.functional as F
torch.set_num_threads(1)


def shapes(n):
    y = torch.randint(0, 3, (n,))
    x = 0.1 * torch.rand(n, 1, 10, 10)
    for i, c in enumerate(y.tolist()):
        if c == 0:
            x[i, 0, 4:6] = 1
        elif c == 1:
            x[i, 0, :, 4:6] = 1
        else:
            x[i, 0].fill_diagonal_(1.0)
    return x, y


class TemplateNet(nn.Module):
    """Correlates with the three strokes; nothing in it is trained."""

    def __init__(self):
        super().__init__()
        strokes = torch.zeros(3, 1, 10, 10)
        strokes[0, 0, 4:6] = 1
        strokes[1, 0, :, 4:6] = 1
        strokes[2, 0].fill_diagonal_(1.0)
        self.register_buffer("bank", F.avg_pool2d(strokes, 3, 1, 1).flatten(1))
        self.smooth = nn.AvgPool2d(3, 1, 1)

    def forward(self, x):
        z = torch.tanh(self.smooth(x)).flatten(1)
        return z @ F.normalize(self.bank, dim=1).t()


class UniversalAttack:
    def __init__(self, net, eps=0.3, alpha=0.01, mu=0.8):
        self.net, self.eps, self.alpha, self.mu = net, eps, alpha, mu
        self.delta = torch.zeros(1, 10, 10, requires_grad=True)
        self.velocity = torch.zeros(1, 10, 10)

    def gradient(self, x, y):
        if not self.delta.is_leaf:
            self.delta.retain_grad()
        loss = F.cross_entropy(self.net((x + self.delta).clamp(0, 1.5)), y)
        loss.backward(retain_graph=True)
        return loss.item(), self.delta.grad

    def step(self, x, y):
        loss, g = self.gradient(x, y)
        self.velocity = self.mu * self.velocity + g / g.abs().mean().clamp_min(1e-8)
        moved = self.delta + self.alpha * self.velocity.sign()
        self.delta = moved.clamp(-self.eps, self.eps)  # <- culprit
        return loss


if __name__ == "__main__":
    torch.manual_seed(9)
    attack = UniversalAttack(TemplateNet().eval())
    for it in range(300):
        x, y = shapes(8)
        loss = attack.step(x, y)
        if it % 50 == 0:
            with torch.no_grad():
                acc = (attack.net(x + attack.delta).argmax(1) == y).float().mean().item()
            print(it, f"loss {loss:.3f} accuracy under attack {acc:.2f}")
