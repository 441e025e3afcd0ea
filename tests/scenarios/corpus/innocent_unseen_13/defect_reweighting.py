# gradwatch-corpus: kind=none
"""Surface defect classification with noisy operator labels: example weights are learned from a small clean set.

One virtual SGD step per iteration, after Ren et al., 2018.
"""
import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

CLASSES = 5


class DefectNet(nn.Module):
    def __init__(self, channels=24):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(channels, 40), nn.ReLU(), nn.Linear(40, CLASSES))

    def forward(self, x):
        return self.layers(x)


class SurfaceData:
    def __init__(self, channels=24, noise=0.4, seed=64):
        self.g = torch.Generator().manual_seed(seed)
        self.centres = torch.randn(CLASSES, channels, generator=self.g)
        self.noise = noise
        self.clean_x, self.clean_y, _ = self.draw(60, 0.0)

    def draw(self, n, noise):
        y = torch.randint(CLASSES, (n,), generator=self.g)
        x = self.centres[y] + torch.randn(n, self.centres.shape[1], generator=self.g)
        flipped = torch.rand(n, generator=self.g) < noise
        return x, torch.where(flipped, (y + 1) % CLASSES, y), flipped

    def train_batch(self, n=48):
        return self.draw(n, self.noise)

    def clean_batch(self, n=24):
        rows = torch.randint(len(self.clean_y), (n,), generator=self.g)
        return self.clean_x[rows], self.clean_y[rows]


class ExampleWeigher:
    def __init__(self, model, inner_lr=0.05):
        self.model = model
        self.inner_lr = inner_lr

    def lookahead(self, x, y, eps):
        params = dict(self.model.named_parameters())
        per_example = F.cross_entropy(functional_call(self.model, params, (x,)), y, reduction="none")
        grads = torch.autograd.grad((eps * per_example).sum(), list(params.values()), create_graph=True)
        return {name: p - self.inner_lr * g for (name, p), g in zip(params.items(), grads)}

    def __call__(self, x, y, clean_x, clean_y):
        eps = torch.zeros(len(y), requires_grad=True)
        ahead = self.lookahead(x, y, eps)
        clean_loss = F.cross_entropy(functional_call(self.model, ahead, (clean_x,)), clean_y)
        g, = torch.autograd.grad(clean_loss, eps)
        w = (-g).clamp_min(0)
        total = w.sum()
        return w / total if total > 0 else torch.full_like(w, 1.0 / len(w))


class WeightMonitor:
    """How much weight goes to examples whose label was flipped (known here, as the data are made up)."""

    def __init__(self):
        self.shares = []

    def add(self, weights, flipped):
        self.shares.append(weights[flipped].sum().item())

    def last(self, n):
        tail = self.shares[-n:]
        return sum(tail) / len(tail)


def accuracy(model, data):
    with torch.inference_mode():
        x, y, _ = data.draw(300, 0.0)
        return (model(x).argmax(1) == y).float().mean().item()


def main(steps=400):
    torch.manual_seed(64)
    data, model, monitor = SurfaceData(), DefectNet(), WeightMonitor()
    weigh = ExampleWeigher(model)
    opt = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.5, weight_decay=1e-4)
    averaged = torch.optim.swa_utils.AveragedModel(model)
    for step in range(1, steps + 1):
        x, y, flipped = data.train_batch()
        weights = weigh(x, y, *data.clean_batch())
        loss = (weights * F.cross_entropy(model(x), y, reduction="none")).sum()
        opt.zero_grad()
        loss.backward()
        opt.step()
        monitor.add(weights, flipped)
        if step > steps // 2:
            averaged.update_parameters(model)
        if step % 100 == 0:
            print(f"step {step}: loss {loss.item():.3f}, weight on flipped labels {monitor.last(100):.3f}, "
                  f"clean accuracy {accuracy(model, data):.3f}")
    print(f"averaged weights: {accuracy(averaged, data):.3f}")


if __name__ == "__main__":
    main()
