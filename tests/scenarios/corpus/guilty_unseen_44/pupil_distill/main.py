# gradwatch-corpus: kind=second-backward
# holder: self._store | guide._store | self._store[key] | soft
# first-bad: 20
# also: graph-held
import argparse

import torch
from torch.utils.data import DataLoader, TensorDataset

from networks import Guide, build_student, load_teacher
from soft_targets import distill_loss


def make_data(n=640, dim=20, classes=6, seed=0):
    gen = torch.Generator().manual_seed(seed)
    centres = torch.randn(classes, dim, generator=gen) * 1.4
    y = torch.randint(classes, (n,), generator=gen)
    x = centres[y] + torch.randn(n, dim, generator=gen)
    return TensorDataset(x, y)


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=4)
    p.add_argument("--batch-size", type=int, default=32)
    p.add_argument("--temperature", type=float, default=3.0)
    p.add_argument("--alpha", type=float, default=0.7)
    return p.parse_args()


def train_epoch(student, guide, loader, opt, args):
    skipped, losses = 0, []
    for n, (x, y) in enumerate(loader):
        opt.zero_grad()
        soft = guide.logits_for(n, x)  # <- culprit
        loss = distill_loss(student(x), soft, y, args.temperature, args.alpha)
        try:
            loss.backward()
        except RuntimeError as err:
            skipped += 1
            if skipped == 1:
                print("  batch", n, "skipped:", str(err).split(".")[0])
            continue
        opt.step()
        losses.append(loss.item())
    return skipped, sum(losses) / max(1, len(losses))


def main():
    args = parse()
    torch.manual_seed(0)
    data = make_data()
    loader = DataLoader(data, batch_size=args.batch_size, shuffle=False)
    guide = Guide(load_teacher(20, 6))
    student = build_student(20, 6)
    opt = torch.optim.AdamW(student.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        skipped, mean = train_epoch(student, guide, loader, opt, args)
        print(f"epoch {epoch}  loss {mean:.4f}  skipped {skipped}/{len(loader)}")


if __name__ == "__main__":
    main()
