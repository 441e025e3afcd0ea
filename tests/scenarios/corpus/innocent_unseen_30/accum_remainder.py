# gradwatch-corpus: kind=none
# Semantic segmentation of toy radar echoes with micro-batches; the last group of an epoch is short.
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

conf = {"size": 94, "micro": 4, "accum": 5, "epochs": 42, "lr": 4e-3, "val_every": 14}


class Echoes(Dataset):
    def __init__(self, n, seed):
        g = torch.Generator().manual_seed(seed)
        self.field = torch.randn(n, 1, 12, 12, generator=g)
        kernel = torch.ones(1, 1, 3, 3) / 9
        self.mask = (nn.functional.conv2d(self.field, kernel, padding=1) > 0.15).float()

    def __len__(self):
        return len(self.field)

    def __getitem__(self, i):
        return self.field[i], self.mask[i]


def dice(logits, mask, smooth=1.0):
    p = logits.sigmoid().flatten(1)
    m = mask.flatten(1)
    return 1 - ((2 * (p * m).sum(1) + smooth) / (p.sum(1) + m.sum(1) + smooth)).mean()


def make_net():
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(),
        nn.Conv2d(8, 8, 3, padding=1), nn.ReLU(),
        nn.Conv2d(8, 1, 1),
    )


@torch.no_grad()
def validate(net, loader):
    net.eval()
    hit = tot = 0
    for x, m in loader:
        hit += ((net(x) > 0) == (m > 0.5)).sum().item()
        tot += m.numel()
    net.train()
    return hit / tot


def main():
    torch.manual_seed(5)
    train = DataLoader(Echoes(conf["size"], 1), batch_size=conf["micro"], shuffle=True)
    val = DataLoader(Echoes(20, 2), batch_size=10)
    net = make_net()
    opt = torch.optim.AdamW(net.parameters(), lr=conf["lr"])
    bce = nn.BCEWithLogitsLoss()

    total_micro = len(train)
    tail = total_micro % conf["accum"] or conf["accum"]
    for epoch in range(conf["epochs"]):
        epoch_loss = torch.zeros(())
        opt.zero_grad()
        for k, (x, mask) in enumerate(train):
            in_tail = k >= total_micro - tail
            group = tail if in_tail else conf["accum"]
            logits = net(x)
            loss = (bce(logits, mask) + dice(logits, mask)) / group
            loss.backward()
            epoch_loss += loss.detach() * group
            if (k + 1) % conf["accum"] == 0 or k + 1 == total_micro:
                opt.step()
                opt.zero_grad()
        if (epoch + 1) % conf["val_every"] == 0:
            print(f"epoch {epoch + 1}: loss {epoch_loss.item() / total_micro:.4f} pix {validate(net, val):.3f}")


if __name__ == "__main__":
    main()
