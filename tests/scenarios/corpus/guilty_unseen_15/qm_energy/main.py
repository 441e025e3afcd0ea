# gradwatch-corpus: kind=graph-held
# holder: self.rows | parity.rows | self.parity.rows | runner.parity.rows | table.rows | row.predicted | self.rows[-1].predicted
# first-bad: 1
# notice: 32
"""Fits a little distance-based message passing net to Morse-like energies of random
clusters. Stand-in for the real QM data until the cluster job has finished."""
import torch

from data import sample_clusters
from net import EnergyNet
from report import ParityTable

CFG = dict(steps=260, batch=24, atoms=7, lr=3e-3, parity_every=4, print_every=65)


class Runner:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(11)
        self.net = EnergyNet(hidden=24)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg["lr"], weight_decay=1e-5)
        self.sched = torch.optim.lr_scheduler.CosineAnnealingLR(self.opt, cfg["steps"])
        self.parity = ParityTable(every=cfg["parity_every"])

    def one_step(self, step):
        z, pos, energy = sample_clusters(self.cfg["batch"], self.cfg["atoms"], self.gen)
        out = self.net(z, pos)
        loss = torch.nn.functional.mse_loss(out, energy)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.sched.step()
        self.parity.offer(step, out, energy)
        return loss.item()

    def run(self):
        avg = None
        for step in range(self.cfg["steps"]):
            value = self.one_step(step)
            avg = value if avg is None else 0.95 * avg + 0.05 * value
            if step % self.cfg["print_every"] == self.cfg["print_every"] - 1:
                print(f"step {step + 1}  mse {avg:.4f}  parity slope (last 20) {self.parity.slope(20):.3f}")
        print(self.parity.summary())


if __name__ == "__main__":
    torch.manual_seed(3)
    torch.set_num_threads(1)
    Runner(CFG).run()
