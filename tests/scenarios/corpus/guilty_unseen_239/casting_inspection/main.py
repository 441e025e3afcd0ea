# gradwatch-corpus: kind=graph-held
# holder: self.energy | probe.energy
# first-bad: 1
import torch
from torch import nn

import vision.nets  # noqa: F401
import vision.probes  # noqa: F401
from vision.data import castings
from vision.registry import BACKBONES, PROBES

CONFIG = {
    "model": {"type": "tiny_cnn", "width": 8, "classes": 2},
    "probe": {"type": "channel_energy", "layer": "body"},
    "optim": {"lr": 0.02, "momentum": 0.9},
    "steps": 90,
    "batch": 16,
}


def main(config):
    torch.manual_seed(2024)
    model = BACKBONES.build(config["model"])
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), **config["optim"])
    correct = 0
    with PROBES.build(config["probe"]).install(model) as probe:
        for step, (x, y) in enumerate(castings(config["steps"], config["batch"]), start=1):
            optimizer.zero_grad()
            logits = model(x)
            loss = criterion(logits, y)
            loss.backward()
            optimizer.step()
            correct += (logits.argmax(1) == y).sum().item()
            if step % 30 == 0:
                print(f"step {step} loss {loss.item():.4f} running acc {correct / (step * len(y)):.3f}")
        print("quiet channels:", probe.quiet_channels(1e-3))


if __name__ == "__main__":
    main(CONFIG)
