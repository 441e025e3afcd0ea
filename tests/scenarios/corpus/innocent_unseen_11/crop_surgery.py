# gradwatch-corpus: kind=none
"""Three maps from one satellite patch (crop, moisture, cloud) with projected gradients where the tasks disagree.

Gradient surgery after Yu et al. 2020, on the shared trunk only.
"""
import random

import torch
from torch import nn
import torch.nn.functional as F

BANDS, CROPS = 6, 4


class Patches:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.spectra = torch.randn(CROPS, BANDS, generator=self.gen)

    def __call__(self, n=8, side=12):
        coarse = torch.randint(0, CROPS, (n, side // 4, side // 4), generator=self.gen)
        crop = coarse.repeat_interleave(4, 1).repeat_interleave(4, 2)
        wet = torch.rand(n, 1, 1, generator=self.gen).expand(n, side, side)
        cloud = (torch.rand(n, side, side, generator=self.gen) < 0.15).float()
        image = self.spectra[crop].permute(0, 3, 1, 2) * (1 - 0.4 * wet.unsqueeze(1))
        image = image * (1 - cloud.unsqueeze(1)) + 2.0 * cloud.unsqueeze(1)
        return image + 0.2 * torch.randn(image.shape, generator=self.gen), crop, wet, cloud


class MapNet(nn.Module):
    def __init__(self, channels=16):
        super().__init__()
        self.trunk = nn.Sequential(nn.Conv2d(BANDS, channels, 3, padding=1), nn.ReLU(),
                                   nn.Conv2d(channels, channels, 3, padding=1), nn.ReLU())
        self.heads = nn.ModuleDict({"crop": nn.Conv2d(channels, CROPS, 1),
                                    "moisture": nn.Conv2d(channels, 1, 1),
                                    "cloud": nn.Conv2d(channels, 1, 1)})

    def losses(self, patch):
        image, crop, wet, cloud = patch
        z = self.trunk(image)
        return {
            "crop": F.cross_entropy(self.heads["crop"](z), crop),
            "moisture": F.mse_loss(self.heads["moisture"](z).squeeze(1), wet),
            "cloud": F.binary_cross_entropy_with_logits(self.heads["cloud"](z).squeeze(1), cloud),
        }


def flatten(grads):
    return torch.cat([g.reshape(-1) for g in grads])


class Surgeon:
    """Fills .grad of trunk and heads; remembers the direction of the last step for the report."""

    def __init__(self, net, seed):
        self.net = net
        self.rng = random.Random(seed)
        self.previous = None
        self.conflicts = 0
        self.turn = 1.0

    def __call__(self, losses):
        shared = list(self.net.trunk.parameters())
        flat = {}
        for position, (task, loss) in enumerate(losses.items()):
            own = list(self.net.heads[task].parameters())
            more_to_come = position < len(losses) - 1
            grads = torch.autograd.grad(loss, shared + own, retain_graph=more_to_come)
            flat[task] = flatten(grads[:len(shared)])
            for p, g in zip(own, grads[len(shared):]):
                p.grad = g
        merged = self.project(flat)
        offset = 0
        for p in shared:
            p.grad = merged[offset:offset + p.numel()].view_as(p).clone()
            offset += p.numel()
        if self.previous is not None:
            self.turn = F.cosine_similarity(merged, self.previous, dim=0).item()
        self.previous = merged

    def project(self, flat):
        merged = torch.zeros_like(next(iter(flat.values())))
        for task, grad in flat.items():
            grad = grad.clone()
            others = [g for name, g in flat.items() if name != task]
            self.rng.shuffle(others)
            for other in others:
                dot = torch.dot(grad, other)
                if dot < 0:
                    self.conflicts += 1
                    grad -= dot / other.pow(2).sum() * other
            merged += grad
        return merged


def main(steps=220):
    torch.manual_seed(77)
    net, patches = MapNet(), Patches(seed=77)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    surgeon = Surgeon(net, seed=77)
    for step in range(1, steps + 1):
        losses = net.losses(patches())
        surgeon(losses)
        optimizer.step()
        if step % 55 == 0:
            shown = "  ".join(f"{task} {loss.item():.3f}" for task, loss in losses.items())
            print(f"{step}: {shown}  conflicts {surgeon.conflicts}  turn {surgeon.turn:+.2f}")


if __name__ == "__main__":
    main()
