# gradwatch-corpus: kind=graph-chain
# holder: self.kl_avg | crit.kl_avg | self.crit.kl_avg
# first-bad: 1
# notice: 5
# also: retain-needless
import torch

from nets import BinaryVAE
from objective import CapacityELBO
from optim import PlainAdam


class Fit:
    def __init__(self, vae, crit, optim):
        self.vae, self.crit, self.optim = vae, crit, optim
        self.log = {"elbo": [], "kl": []}

    def one_step(self, x):
        logits, mu, logvar = self.vae(x)
        loss, parts = self.crit(x, logits, mu, logvar)
        self.optim.clear()
        loss.backward(retain_graph=True)
        self.optim.update()
        for key, val in parts.items():
            self.log[key].append(val)

    def run(self, stream):
        for i, x in enumerate(stream, 1):
            self.one_step(x)
            if i % 20 == 0:
                tail = {k: sum(v[-20:]) / 20 for k, v in self.log.items()}
                print(i, " ".join(f"{k}={v:.3f}" for k, v in tail.items()))


def bars(n_batches, size, side=5, seed=3):
    g = torch.Generator().manual_seed(seed)
    for _ in range(n_batches):
        img = torch.zeros(size, side, side)
        rows = torch.rand(size, side, generator=g) < 0.25
        cols = torch.rand(size, side, generator=g) < 0.25
        img[rows] = 1.0
        img.transpose(1, 2)[cols] = 1.0
        yield img.flatten(1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(4)
    vae = BinaryVAE(25, 32, 4)
    crit = CapacityELBO(gamma=3.0, c_max=4.0, anneal=60)
    Fit(vae, crit, PlainAdam(vae.parameters(), lr=4e-3)).run(bars(80, 24))
