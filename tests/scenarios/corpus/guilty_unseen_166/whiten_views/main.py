# gradwatch-corpus: kind=graph-chain
# holder: self.mean | self.cov | criterion.moments | self.moments | mean | cov
# first-bad: 1
"""Two-view embedding of sensor pairs with a decorrelating loss whose statistics run over batches."""
import argparse
import logging

import torch
import torch.nn as nn

from losses import DecorrelationLoss

torch.set_num_threads(1)
log = logging.getLogger("views")


class Encoder(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.proj = nn.Linear(n_in, n_out)

    def forward(self, x):
        return torch.tanh(self.proj(x)) * 2


class PairedSensors(torch.utils.data.Dataset):
    def __init__(self, n=640, latent=4, da=12, db=9, seed=0):
        g = torch.Generator().manual_seed(seed)
        s = torch.randn(n, latent, generator=g)
        self.a = s @ torch.randn(latent, da, generator=g) + 0.1 * torch.randn(n, da, generator=g)
        self.b = s @ torch.randn(latent, db, generator=g) + 0.1 * torch.randn(n, db, generator=g)

    def __len__(self):
        return len(self.a)

    def __getitem__(self, i):
        return self.a[i], self.b[i]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=4)
    ap.add_argument("--bs", type=int, default=32)
    ap.add_argument("--dim", type=int, default=6)
    args = ap.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(name)s %(message)s")
    torch.manual_seed(0)
    ds = PairedSensors()
    train, val = torch.utils.data.random_split(ds, [512, 128])
    loader = torch.utils.data.DataLoader(train, batch_size=args.bs, shuffle=True)
    enc_a, enc_b = Encoder(12, args.dim), Encoder(9, args.dim)
    criterion = DecorrelationLoss(args.dim)
    params = [*enc_a.parameters(), *enc_b.parameters()]
    opt = torch.optim.AdamW(params, lr=5e-3)
    for epoch in range(args.epochs):
        criterion.train()
        for i, (a, b) in enumerate(loader):
            loss, parts = criterion(enc_a(a), enc_b(b))
            opt.zero_grad(set_to_none=True)
            loss.backward(retain_graph=True)
            opt.step()
            if i % 8 == 0:
                log.info("epoch %d it %d loss %.4f %s", epoch, i, loss.item(),
                         {k: round(v, 4) for k, v in parts.items()})
        criterion.eval()
        with torch.no_grad():
            idx = val.indices
            vloss, _ = criterion(enc_a(ds.a[idx]), enc_b(ds.b[idx]))
        log.info("epoch %d val %.4f", epoch, vloss.item())


if __name__ == "__main__":
    main()
