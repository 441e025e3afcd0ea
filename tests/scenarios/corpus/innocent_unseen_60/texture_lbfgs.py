# gradwatch-corpus: kind=none
"""Texture synthesis with L-BFGS: find an image whose Gram matrices are those of a texture.

The closure is called several times per step; the scores it meets are kept for the plot.
"""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(21)

SIZE = 24
STEPS = 120


class RandomFeatures(nn.Module):
    """Fixed random filters at three scales (Ustyuzhaninov et al.)."""

    def __init__(self, filters=16):
        super().__init__()
        self.convs = nn.ModuleList(nn.Conv2d(1, filters, k, padding=k // 2) for k in (3, 5, 7))

    def forward(self, x):
        return [F.elu(c(x)) for c in self.convs]


def gram(f):
    b, c, h, w = f.shape
    f = f.reshape(c, h * w)
    return f @ f.t() / (h * w)


def brick_texture(size):
    y, x = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    row = y // 6
    mortar = (y % 6 == 0) | ((x + 4 * (row % 2)) % 8 == 0)
    return (1.0 - 0.8 * mortar.float()).view(1, 1, size, size)


class GramMatch(nn.Module):
    def __init__(self, features, reference):
        super().__init__()
        self.features = features
        self.targets = [gram(f).detach() for f in features(reference)]
        self.parts = []

    def forward(self, image):
        self.parts = [F.mse_loss(gram(f), t) for f, t in zip(self.features(image), self.targets)]
        return torch.stack(self.parts).sum()


class BestImage:
    """Keeps the image with the lowest score so far."""

    def __init__(self):
        self.score, self.image = float("inf"), None

    def offer(self, score, image):
        if score < self.score:
            self.score, self.image = score, image.detach().clamp(0, 1)


def synthesize(reference):
    match = GramMatch(RandomFeatures().requires_grad_(False), reference)
    image = torch.rand(1, 1, SIZE, SIZE, requires_grad=True)
    optimizer = torch.optim.LBFGS([image], lr=0.5, max_iter=3, history_size=12)
    curve, best = [], BestImage()
    calls = 0

    for step in range(STEPS):

        def closure():
            nonlocal calls
            calls += 1
            optimizer.zero_grad()
            loss = match(image)
            loss.backward()
            curve.append((calls, loss.item(), [p.item() for p in match.parts]))
            return loss

        score = optimizer.step(closure)
        best.offer(score.item(), image)
        if step % 20 == 0:
            print(f"step {step:3d} calls {calls:4d} score {score.item():.6f}")
    return best, curve


if __name__ == "__main__":
    best, curve = synthesize(brick_texture(SIZE))
    print(f"best {best.score:.6f} of {len(curve)} evaluations, mean grey {best.image.mean().item():.3f}")
