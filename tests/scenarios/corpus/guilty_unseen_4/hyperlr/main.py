# gradwatch-corpus: kind=graph-chain
# holder: inner.fast | self.fast
# first-bad: 1
"""Online hypergradient adaptation of per-tensor learning rates."""
import torch

from inner import InnerLoop
from task import two_rings


def run(steps=160, every=40):
    g = torch.Generator().manual_seed(23)
    log_rate = torch.full((3,), -2.5, requires_grad=True)
    meta = torch.optim.RMSprop([log_rate], lr=0.01)
    inner = InnerLoop(g)
    for s in range(steps):
        tr = inner.train_step(log_rate, two_rings(32, g))
        va = inner.validate(two_rings(64, g))
        meta.zero_grad()
        va.backward(inputs=[log_rate], retain_graph=True)
        meta.step()
        if s % every == 0:
            rates = ", ".join(f"{r:.4f}" for r in log_rate.detach().exp().tolist())
            print(f"step {s:3d} train {tr:.4f} valid {va.item():.4f} rates [{rates}]")


if __name__ == "__main__":
    run()
