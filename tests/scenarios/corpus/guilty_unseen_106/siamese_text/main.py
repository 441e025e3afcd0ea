# gradwatch-corpus: kind=graph-chain
# holder: self.centers | bank.centers
# first-bad: 1
# notice: 5
"""Siamese text matcher: contrastive loss + pull to moving class centres."""
import torch

from data import TicketPairs
from losses import ContrastiveLoss, CenterBank
from net import SiameseBag

torch.set_num_threads(1)
torch.manual_seed(21)

VOCAB, CLASSES, DIM = 300, 6, 24


def main():
    pairs = TicketPairs(VOCAB, CLASSES, seed=5)
    net = SiameseBag(VOCAB, DIM)
    contrastive = ContrastiveLoss(margin=1.5)
    bank = CenterBank(CLASSES, DIM, momentum=0.95)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)

    running, n = 0.0, 0
    for step in range(140):
        left, right, yl, yr = pairs.batch(24)
        same = (yl == yr).float()
        el, er = net(left, right)

        loss_pair = contrastive(el, er, same)
        loss_center = bank(torch.cat([el, er]), torch.cat([yl, yr]))
        loss = loss_pair + 0.1 * loss_center

        opt.zero_grad()
        loss.backward(retain_graph=True)
        opt.step()

        running += loss.item()
        n += 1
        if step % 28 == 27:
            with torch.no_grad():
                d = (el - er).norm(dim=1)
                acc = ((d < 0.75).float() == same).float().mean().item()
            print(f"step {step + 1} loss {running / n:.4f} pair-acc {acc:.2f}")
            running, n = 0.0, 0


if __name__ == "__main__":
    main()
