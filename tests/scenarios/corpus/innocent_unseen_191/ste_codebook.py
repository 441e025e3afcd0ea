# gradwatch-corpus: kind=none
import torch
import torch.nn as nn
import torch.nn.functional as F


class Quantize(torch.autograd.Function):
    recent = []

    @staticmethod
    def forward(ctx, z, book):
        idx = torch.cdist(z, book).argmin(1)
        ctx.save_for_backward(idx)
        ctx.size = book.shape
        Quantize.recent.append(idx)
        return book[idx]

    @staticmethod
    def backward(ctx, g):
        idx, = ctx.saved_tensors
        return g, torch.zeros(ctx.size).index_add_(0, idx, g)


class CodeModel(nn.Module):
    def __init__(self, codes=32, dim=8):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(20, 40), nn.ReLU(), nn.Linear(40, dim))
        self.dec = nn.Sequential(nn.Linear(dim, 40), nn.ReLU(), nn.Linear(40, 20))
        self.book = nn.Parameter(torch.randn(codes, dim))
        self.pending_commit = []

    def forward(self, x):
        z = self.enc(x)
        q = Quantize.apply(z, self.book)
        self.pending_commit.append((z - q.detach()).pow(2).mean())
        return self.dec(q)

    def pop_commit(self):
        terms, self.pending_commit = self.pending_commit, []
        return torch.stack(terms).mean()


@torch.no_grad()
def revive(model, x):
    used = torch.cat(Quantize.recent).bincount(minlength=len(model.book))
    Quantize.recent.clear()
    dead = (used == 0).nonzero().flatten()
    if len(dead):
        z = model.enc(x)
        model.book[dead] = z[torch.randint(len(z), (len(dead),))]
    return len(dead)


def main(steps=1500, accumulate=3):
    torch.manual_seed(130)
    model = CodeModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    atoms = torch.randn(12, 20)
    recon = []
    for step in range(1, steps + 1):
        x = atoms[torch.randint(12, (24,))] + 0.1 * torch.randn(24, 20)
        recon.append(F.mse_loss(model(x), x))
        if step % accumulate == 0:
            loss = sum(recon) / accumulate + 0.25 * model.pop_commit()
            opt.zero_grad()
            loss.backward()
            opt.step()
            recon.clear()
        if step % 48 == 0:
            dead = revive(model, x)
            print(step, f"{loss.item():.4f}", "revived", dead)


if __name__ == "__main__":
    main()
