# gradwatch-corpus: kind=graph-held
# holder: self.series["contact"] | book.series["contact"] | book.series["distogram"] | book.series | self.series
# first-bad: 1
# notice: 8
"""Toy residue-contact predictor with a distogram side task."""
import torch

torch.set_num_threads(1)
torch.manual_seed(5)

import torch.nn.functional as F

from book import RunBook
from folding import PairNet, sample_chain

N_STEPS = 500
BINS = 6


def step_losses(net, seq, dist):
    contact_logit, bins_logit = net(seq)
    touching = (dist < 1.0).float()
    contact = F.binary_cross_entropy_with_logits(contact_logit, touching)
    label = (dist / 0.6).long().clamp(max=BINS - 1)
    disto = F.cross_entropy(bins_logit.reshape(-1, BINS), label.reshape(-1))
    return contact, disto


def main():
    net = PairNet(n_aa=8, dim=12, bins=BINS)
    optim = torch.optim.Adam(net.parameters(), lr=3e-3)
    book = RunBook(stride=5)
    for it in range(N_STEPS):
        seq, dist = sample_chain(10, 8)
        contact, disto = step_losses(net, seq, dist)
        optim.zero_grad(set_to_none=True)
        (contact + 0.3 * disto).backward()
        optim.step()
        if book.due(it):
            book.push(it, contact=contact, distogram=disto)  # <- culprit
    print(book.summary())


if __name__ == "__main__":
    main()
