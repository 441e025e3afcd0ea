# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.shadow[k] | target.shadow | self.target.shadow | target.shadow[k] | trainer.target.shadow | byol.target.shadow
# first-bad: 1
"""BYOL-style pretraining on pairs of noisy views of low-dimensional spectra.
The target network is a moving average of the online encoder."""
import torch

from nets import Encoder, Head, cosine_gap
from momentum import MovingTarget
from views import ViewPairs


class Byol:
    def __init__(self, dim_in, dim_out=16, tau=0.98, lr=1e-3):
        self.online = Encoder(dim_in, dim_out)
        self.predictor = Head(dim_out)
        self.target = MovingTarget(self.online, tau)
        params = [*self.online.parameters(), *self.predictor.parameters()]
        self.opt = torch.optim.Adam(params, lr=lr)

    def objective(self, a, b):
        pa = self.predictor(self.online(a))
        pb = self.predictor(self.online(b))
        ta, tb = self.target(a), self.target(b)  # <- culprit
        return cosine_gap(pa, tb) + cosine_gap(pb, ta)

    def step(self, a, b):
        loss = self.objective(a, b)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.target.follow(self.online)
        return loss.item()


def main(steps=220):
    torch.manual_seed(41)
    pairs = ViewPairs(dim=24, batch=32, seed=41)
    byol = Byol(dim_in=24)
    window = []
    for i, (a, b) in zip(range(steps), pairs):
        window.append(byol.step(a, b))
        if len(window) == 44:
            print(f"{i + 1:4d} steps, gap {sum(window) / len(window):.4f}")
            window.clear()
    with torch.no_grad():
        spread = byol.online(next(iter(pairs))[0]).std(0).mean().item()
    print(f"embedding spread {spread:.3f}")


if __name__ == "__main__":
    main()
