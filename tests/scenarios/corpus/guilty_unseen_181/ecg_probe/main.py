# gradwatch-corpus: kind=graph-held
# holder: self.store[name] | self.store | probe.store
# first-bad: 1
import torch
import torch.nn.functional as F

from beats import BeatSampler
from model import BeatNet
from probe import ActivationProbe

torch.manual_seed(17)


def evaluate(model, sampler):
    model.eval()
    with torch.no_grad():
        x, y = sampler.batch(128)
        acc = (model(x).argmax(1) == y).float().mean().item()
    model.train()
    return acc


def run(steps=600):
    sampler = BeatSampler(length=64)
    model = BeatNet(n_classes=3)
    probe = ActivationProbe(model, ["block1", "block2"])
    opt = torch.optim.RMSprop(model.parameters(), lr=5e-4)

    for step in range(steps):
        x, y = sampler.batch(24)
        loss = F.cross_entropy(model(x), y)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()

        if step % 75 == 0:
            acc = evaluate(model, sampler)
            dead = probe.dead_fraction()
            print(step, f"loss {loss.item():.3f} acc {acc:.3f}", dead)

    probe.remove()


if __name__ == "__main__":
    run()
