# gradwatch-corpus: kind=graph-held
# holder: self.entries | log.entries
# first-bad: 1
"""Season-level crop yield regression with predicted uncertainty; the run's curves are printed at the end."""
import torch

from .fields import FieldYears
from .net import YieldNet, gaussian_nll
from .records import LazyLog


def train(steps=500, batch=32):
    torch.manual_seed(12)
    data, net, log = FieldYears(seed=13), YieldNet(), LazyLog()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    for step in range(steps):
        weather, soil, y = data.batch(batch)
        mean, log_var = net(weather, soil)
        nll = gaussian_nll(mean, log_var, y).mean()
        spread = log_var.pow(2).mean()
        loss = nll + 1e-3 * spread
        opt.zero_grad()
        loss.backward()
        norm = torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        opt.step()
        log.defer(step, "nll", lambda v=nll: v.item())  # <- culprit
        log.defer(step, "grad_norm", lambda v=norm: v.item())
        if step % 100 == 99:
            print(f"{step + 1} steps done")
    print(log.summary())


if __name__ == "__main__":
    train()
