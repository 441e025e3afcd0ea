# gradwatch-corpus: kind=graph-chain
# holder: self.fast | learner.fast | self.fast[name]
# first-bad: 1
import torch

from learner import FastHead, Backbone
from stream import DriftingSensor


def main(steps=450):
    torch.manual_seed(13)
    backbone = Backbone(8, 24)
    learner = FastHead(24, lr=0.05)
    optim = torch.optim.Adam(backbone.parameters(), lr=1e-3)
    errors = []
    for step, (window, target) in enumerate(DriftingSensor(steps)):
        with torch.no_grad():
            frozen = backbone(window)
        errors.append(learner.adapt(frozen, target))
        recon = backbone.reconstruct(window)
        aux = (recon - window).pow(2).mean()
        optim.zero_grad()
        aux.backward()
        optim.step()
        if step % 90 == 0:
            recent = errors[-30:]
            print(step, f"aux {aux.item():.4f} online mse {sum(recent) / len(recent):.4f}")


if __name__ == "__main__":
    main()
