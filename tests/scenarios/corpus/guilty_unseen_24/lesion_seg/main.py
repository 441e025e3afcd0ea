# gradwatch-corpus: kind=graph-held
# holder: self._entries | repo._entries | reviewer.repo._entries | self.repo._entries
# first-bad: 1
import torch

from cases import CohortReader
from net import TinyUNet, soft_dice
from review import CaseRepository, ReviewService


def train_step(net, opt, reviewer, batch):
    logits = net(batch.image)
    dice = soft_dice(logits, batch.mask)
    bce = torch.nn.functional.binary_cross_entropy_with_logits(logits, batch.mask)
    loss = bce + (1.0 - dice).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    reviewer.report(batch.case_ids, dice)  # <- culprit
    return loss.item()


def main():
    torch.manual_seed(17)
    cohort = CohortReader(n_cases=560, size=32)
    net = TinyUNet(width=8)
    opt = torch.optim.Adam(net.parameters(), lr=2e-3)
    repo = CaseRepository(capacity=2048)
    reviewer = ReviewService(repo, flag_below=0.3)
    for i, batch in enumerate(cohort.batches(4)):
        loss = train_step(net, opt, reviewer, batch)
        if i % 20 == 0:
            print(f"iter {i:3d} loss {loss:.3f} flagged {len(reviewer.flagged())}/{len(repo)}")
    worst = sorted(reviewer.flagged(), key=lambda kv: kv[1])[:5]
    print("for manual review:", ", ".join(f"{k} ({v:.2f})" for k, v in worst))


if __name__ == "__main__":
    main()
