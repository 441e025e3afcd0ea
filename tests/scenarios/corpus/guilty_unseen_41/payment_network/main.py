# gradwatch-corpus: kind=graph-chain
# holder: self.state | memory.state | model.memory.state | self.memory.state
# first-bad: 1
import argparse

import torch
import torch.nn.functional as F

from memory import FraudScorer
from stream import PaymentStream


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--days", type=int, default=75)
    ap.add_argument("--accounts", type=int, default=50)
    ap.add_argument("--lr", type=float, default=5e-3)
    ap.add_argument("--seed", type=int, default=9)
    return ap.parse_args()


def train_day(model, optimizer, day):
    model.memory.update(day.adj)  # <- culprit
    scores = model(day.src, day.dst)
    loss = F.binary_cross_entropy_with_logits(scores, day.label, pos_weight=torch.tensor(3.0))
    optimizer.zero_grad()
    loss.backward(retain_graph=True)  # <- culprit
    torch.nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    with torch.no_grad():
        flagged = (scores > 0).float()
        recall = (flagged * day.label).sum() / day.label.sum().clamp(min=1)
    return loss.item(), recall.item()


def main():
    args = parse()
    torch.manual_seed(args.seed)
    stream = PaymentStream(args.accounts, args.days)
    model = FraudScorer(args.accounts, dim=16)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr, weight_decay=1e-5)
    week = []
    for d, day in enumerate(stream, 1):
        week.append(train_day(model, optimizer, day))
        if d % 15 == 0:
            loss = sum(l for l, _ in week) / len(week)
            rec = sum(r for _, r in week) / len(week)
            print(f"day {d:3d}  loss {loss:.4f}  recall {rec:.3f}")
            week.clear()


if __name__ == "__main__":
    main()
