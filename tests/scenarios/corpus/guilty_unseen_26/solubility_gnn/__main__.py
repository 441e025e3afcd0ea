# gradwatch-corpus: kind=graph-held
# holder: self._log | log_report._log | ext._log | loop.extensions["LogReport"]._log | self.extensions["LogReport"]._log
# first-bad: 1
# after: pfnet/pytorch-pfn-extras PR 49 "Use detach instead of clone to avoid retention of computational graph in reporter"
"""Solubility of small molecules, message passing on a sparse adjacency."""
import torch

from .loop import LogReport, Loop, PrintReport
from .molecules import batches
from .net import SolubilityNet


def main():
    torch.manual_seed(0)
    model = SolubilityNet(atom_types=9, hidden=32, layers=3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    loop = Loop(model, optimizer, max_iterations=100)
    loop.extend("LogReport", LogReport(every=25))
    loop.extend("PrintReport", PrintReport("LogReport"))
    loop.run(batches(n_mols=16, atom_types=9, seed=1))


if __name__ == "__main__":
    main()
