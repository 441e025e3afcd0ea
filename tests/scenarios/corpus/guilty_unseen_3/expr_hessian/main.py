# gradwatch-corpus: kind=graph-chain
# also: graph-held
# holder: self.mu | net.stem.norm.mu | norm.mu | net.stem.norm._buffers["mu"] | self.sd | net.stem.norm.sd | norm.sd
# first-bad: 1
"""Cell-type calls from bulk expression with a diagonal second-order optimizer (Hutchinson probes)."""
import torch

from curvature import ProbeDiag
from genes import panel
from towers import Caller


def main(batches=200):
    torch.manual_seed(31)
    net = Caller(60, 5)
    opt = ProbeDiag(net.parameters(), lr=0.02)
    right = total = 0
    for b in range(batches):
        counts, kind = panel(b)
        out = net(counts)
        nll = torch.nn.functional.cross_entropy(out, kind)
        opt.zero_grad()
        nll.backward(create_graph=True)
        opt.step()
        right += (out.argmax(1) == kind).sum().item()
        total += kind.numel()
        if (b + 1) % 50 == 0:
            print(f"batch {b + 1}: nll {nll.item():.3f} acc {right / total:.3f}")
            right = total = 0


if __name__ == "__main__":
    main()
